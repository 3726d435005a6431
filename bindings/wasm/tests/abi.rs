//! `ts/abi.ts` is what `lanecast.h` declares, as it lies in memory of 32 bits.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

/// A type of a field or an argument.
#[derive(Clone)]
enum Type {
    /// By its name in TypeScript.
    Number(&'static str, usize),
    /// As a pointer, 4 bytes.
    Pointer,
    Struct(String),
    Array(Box<Type>, usize),
}

struct Field {
    name: String,
    of: Type,
    offset: usize,
}

struct Function {
    name: String,
    arguments: Vec<(String, Type)>,
    /// None of one that returns nothing.
    returns: Option<Type>,
}

#[derive(Default)]
struct Header {
    constants: Vec<(String, String)>,
    /// Other names of numbers and pointers.
    names: BTreeMap<String, Type>,
    structs: BTreeMap<String, (Vec<Field>, usize, usize)>,
    /// The order of structs in the header.
    order: Vec<String>,
    functions: Vec<Function>,
}

impl Header {
    fn read(text: &str) -> Self {
        let mut header = Self::default();
        let parts: Vec<_> = text.split("#ifdef __cplusplus").collect();
        let [before, functions, ..] = parts[..] else { panic!("a header for C++ too") };
        let (_, functions) = functions.split_once("#endif").expect("an end of what is for C++");
        for line in before.lines() {
            let words: Vec<_> = line.split_whitespace().collect();
            if let ["#define", name, value] = words[..] {
                let value = value.replace("UINT32_MAX", "0xffffffff");
                header.constants.push((name.to_owned(), value));
            }
        }
        for statement in statements(before) {
            header.add_type(&statement);
        }
        for statement in statements(functions) {
            if let Some((head, arguments)) = statement.split_once('(') {
                header.add_function(head, arguments.trim_end_matches(')'));
            }
        }
        header
    }

    fn type_of(&self, words: &str) -> Option<Type> {
        let words = words.replace("const ", "").replace("struct ", "");
        let words = words.trim();
        if words.ends_with('*') {
            return Some(Type::Pointer);
        }
        Some(match words {
            "void" => return None,
            "bool" | "uint8_t" => Type::Number("u8", 1),
            "uint16_t" => Type::Number("u16", 2),
            "int32_t" => Type::Number("i32", 4),
            "uint32_t" | "size_t" => Type::Number("u32", 4),
            "uint64_t" => Type::Number("u64", 8),
            "float" => Type::Number("f32", 4),
            "double" => Type::Number("f64", 8),
            name if self.structs.contains_key(name) => Type::Struct(name.to_owned()),
            name => {
                let known = self.names.get(name);
                known.unwrap_or_else(|| panic!("{name} is not known")).clone()
            }
        })
    }

    /// The name and the type of a declaration, such as `const double *point` or `uint64_t words[3]`.
    fn declared(&self, declaration: &str) -> (String, Type) {
        let declaration = declaration.trim();
        if let Some((_, name)) = declaration.split_once("(*") {
            let name = name.split(')').next().expect("the name of a function");
            return (name.to_owned(), Type::Pointer);
        }
        let (declaration, length) = match declaration.split_once('[') {
            Some((before, length)) => {
                (before, Some(length.trim_end_matches(']').parse().expect("a length")))
            }
            None => (declaration, None),
        };
        let at = declaration.rfind([' ', '*']).expect("a type and a name") + 1;
        let (of, name) = declaration.split_at(at);
        let of = self.type_of(of).expect("a value");
        let of = match length {
            Some(length) => Type::Array(Box::new(of), length),
            None => of,
        };
        (name.to_owned(), of)
    }

    fn size_and_align(&self, of: &Type) -> (usize, usize) {
        match of {
            Type::Number(_, size) => (*size, *size),
            Type::Pointer => (4, 4),
            Type::Struct(name) => (self.structs[name].1, self.structs[name].2),
            Type::Array(of, length) => {
                let (size, align) = self.size_and_align(of);
                (size * length, align)
            }
        }
    }

    fn add_type(&mut self, statement: &str) {
        let Some(declared) = statement.strip_prefix("typedef ") else { return };
        if let Some((_, rest)) = declared.split_once('{') {
            let (fields, name) = rest.rsplit_once('}').expect("an end of the struct");
            let (mut all, mut end, mut most) = (Vec::new(), 0_usize, 1);
            for field in fields.split(';').filter(|field| !field.trim().is_empty()) {
                let (name, of) = self.declared(field);
                let (size, align) = self.size_and_align(&of);
                let offset = end.next_multiple_of(align);
                (end, most) = (offset + size, most.max(align));
                all.push(Field { name, of, offset });
            }
            let name = name.trim().to_owned();
            self.order.push(name.clone());
            self.structs.insert(name, (all, end.next_multiple_of(most), most));
        } else if declared.contains("(*") {
            let (name, _) = self.declared(declared);
            self.names.insert(name, Type::Pointer);
        } else if !declared.starts_with("struct ") {
            let (name, of) = self.declared(declared);
            self.names.insert(name, of);
        }
    }

    fn add_function(&mut self, head: &str, arguments: &str) {
        let head = head.trim();
        let at = head.rfind([' ', '*']).expect("a type and a name") + 1;
        let (returns, name) = (self.type_of(&head[..at]), head[at..].to_owned());
        let arguments = match arguments.trim() {
            "void" => Vec::new(),
            arguments => arguments.split(',').map(|argument| self.declared(argument)).collect(),
        };
        self.functions.push(Function { name, arguments, returns });
    }

    /// As the layout of a struct has it.
    fn layout_of(&self, of: &Type) -> String {
        match of {
            Type::Number(name, _) => format!("\"{name}\""),
            Type::Pointer => "\"u32\"".to_owned(),
            Type::Struct(name) => short(name).to_owned(),
            Type::Array(of, length) => format!("[{}, {length}]", self.layout_of(of)),
        }
    }

    fn in_typescript(&self) -> String {
        let mut all = String::from(
            "// What lanecast.h declares, as it lies in memory of 32 bits. Made of it by\n\
             // `LANECAST_WRITE_ABI=1 cargo test -p lanecast-wasm`: change it there.\n\n",
        );
        for (name, value) in &self.constants {
            writeln!(all, "export const {} = {value};", short(name)).expect("text");
        }
        all += "\n/** A number, a struct, or so many of either: at an offset in bytes. */\n\
                export type Field = \"u8\" | \"u16\" | \"i32\" | \"u32\" | \"u64\" | \"f32\" | \"f64\" | Layout | \
                readonly [Field, number];\n\
                export interface Layout {\n  \
                  readonly size: number;\n  \
                  readonly fields: Readonly<Record<string, readonly [number, Field]>>;\n}\n";
        for name in &self.order {
            let (fields, size, _) = &self.structs[name];
            let of = short(name);
            writeln!(all, "\nexport const {of} = {{\n  size: {size},\n  fields: {{").expect("text");
            for Field { name, of, offset } in fields {
                writeln!(all, "    {name}: [{offset}, {}],", self.layout_of(of)).expect("text");
            }
            all += "  },\n} as const satisfies Layout;\n";
        }
        all += "\n/** Structs are passed by a pointer to them. */\nexport interface Functions {\n";
        for Function { name, arguments, returns } in &self.functions {
            let in_type = |of: &Type| match of {
                Type::Number("u64", _) => "bigint",
                _ => "number",
            };
            let arguments: Vec<_> = arguments
                .iter()
                .map(|(name, of)| {
                    // A word of the language.
                    let name = if name == "function" { "callback" } else { name };
                    format!("{name}: {}", in_type(of))
                })
                .collect();
            let of = returns.as_ref().map_or("void", in_type);
            writeln!(all, "  {name}({}): {of};", arguments.join(", ")).expect("text");
        }
        all + "}\n"
    }
}

/// Without the prefix that C needs.
fn short(name: &str) -> &str {
    name.strip_prefix("lanecast_").or_else(|| name.strip_prefix("LANECAST_")).unwrap_or(name)
}

/// Declarations without comments and lines of the preprocessor, on one line each.
fn statements(text: &str) -> Vec<String> {
    let code = text.split_once("*/").map_or(text, |(_, code)| code);
    let lines = code.lines().map(|line| line.split("//").next().unwrap_or_default().trim());
    let code = lines.filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ");
    let (mut all, mut depth, mut statement) = (Vec::new(), 0, String::new());
    for letter in code.chars() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            ';' if depth == 0 => {
                all.push(std::mem::take(&mut statement).trim().to_owned());
                continue;
            }
            _ => {}
        }
        statement.push(letter);
    }
    all
}

/// Writes the file anew if `LANECAST_WRITE_ABI` is set.
#[test]
fn what_javascript_knows_of_the_header_is_that_of_the_header() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let header = std::fs::read_to_string(package.join("../c/include/lanecast.h"));
    let made = Header::read(&header.expect("a header")).in_typescript();
    let path = package.join("ts/abi.ts");
    if std::env::var_os("LANECAST_WRITE_ABI").is_some() {
        std::fs::write(&path, &made).expect("the file is written");
    }
    let kept = std::fs::read_to_string(&path).expect("ts/abi.ts");
    assert!(
        made == kept,
        "ts/abi.ts is not that of lanecast.h; LANECAST_WRITE_ABI=1 cargo test -p lanecast-wasm makes it"
    );
}
