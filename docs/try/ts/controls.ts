// Controls of a tool's panel, each with its label.

type Content = Node | string;

export function element<K extends keyof HTMLElementTagNameMap>(
  name: K,
  attributes: Readonly<Record<string, string>> = {},
  ...content: Content[]
): HTMLElementTagNameMap[K] {
  const made = document.createElement(name);
  Object.entries(attributes).forEach(([key, value]) => made.setAttribute(key, value));
  made.append(...content);
  return made;
}

export interface Slider {
  readonly element: HTMLElement;
  value: number;
}

/** A number of a range. `text` says it in words, also to those who hear the page. */
export function slider(
  label: string,
  [min, max, step]: readonly [number, number, number],
  value: number,
  text: (value: number) => string,
  change: () => void,
): Slider {
  const input = element("input", { type: "range", min: `${min}`, max: `${max}`, step: `${step}`, value: `${value}` });
  const output = element("output");
  const show = () => {
    output.value = text(input.valueAsNumber);
    input.setAttribute("aria-valuetext", output.value);
  };
  input.addEventListener("input", () => {
    show();
    change();
  });
  show();
  return {
    element: element("label", { class: "slider" }, element("span", {}, label), output, input),
    get value() {
      return input.valueAsNumber;
    },
    set value(value) {
      input.valueAsNumber = value;
      show();
    },
  };
}

export interface Choice<V extends string> {
  readonly element: HTMLElement;
  value: V;
}

let groups = 0;

/** One of a few values. */
export function choice<V extends string>(
  label: string,
  values: Readonly<Record<V, string>>,
  value: NoInfer<V>,
  change: () => void,
): Choice<V> {
  const name = `choice-${(groups += 1)}`;
  const all = element("fieldset", { class: "choice" }, element("legend", {}, label));
  for (const [key, text] of Object.entries<string>(values)) {
    const input = element("input", { type: "radio", name, value: key });
    input.checked = key === value;
    input.addEventListener("change", change);
    all.append(element("label", {}, input, element("span", {}, text)));
  }
  const inputs = () => [...all.querySelectorAll("input")];
  return {
    element: all,
    get value() {
      return inputs().find((input) => input.checked)!.value as V;
    },
    set value(value) {
      inputs().forEach((input) => (input.checked = input.value === value));
    },
  };
}

export function button(text: string, press: () => void): HTMLButtonElement {
  const made = element("button", { type: "button" }, text);
  made.addEventListener("click", press);
  return made;
}

export function dateInput(
  label: string,
  value: string,
  change: () => void,
): { readonly element: HTMLElement; readonly value: string } {
  const input = element("input", { type: "date", value, required: "" });
  input.addEventListener("change", () => input.value !== "" && change());
  return {
    element: element("label", { class: "date" }, element("span", {}, label), input),
    get value() {
      return input.value;
    },
  };
}

/** Names and values, a line each. */
export function facts(rows: readonly (readonly [string, string])[]): HTMLElement {
  return element(
    "dl",
    { class: "facts" },
    ...rows.map(([name, value]) => element("div", {}, element("dt", {}, name), element("dd", {}, value))),
  );
}
