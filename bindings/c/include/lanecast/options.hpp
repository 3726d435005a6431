// Options of queries and builds, threads, and callbacks that watch and filter.

#ifndef LANECAST_OPTIONS_HPP
#define LANECAST_OPTIONS_HPP

#include <atomic>
#include <memory>

#include "rays.hpp"

LANECAST_BEGIN

/// Threads of calls. Any number of calls may use the same ones at once; without any a call uses all cores.
class Threads {
 public:
  /// Makes so many threads, 1 to 1024; 1 is the calling thread itself.
  static Outcome<Threads> make(std::size_t count) {
    Threads threads;
    auto failure = detail::checked(lanecast_threads_new(count, threads.handle_.place()));
    return detail::finish(std::move(failure), std::move(threads));
  }

  /// Threads of a system of tasks of the caller's, of which about `count` run at once. `run(tasks, task)` calls `task` with each
  /// number below `tasks`, on any threads, and returns when all calls have; builds call it from within tasks too. It must not
  /// throw, and exists for as long as these threads.
  template <class F>
  static Outcome<Threads> of_tasks(std::size_t count, const F& run) {
    Threads threads;
    const auto call = [](void* user, std::size_t tasks, lanecast_task task, void* context) noexcept {
      (*static_cast<const F*>(user))(tasks, [task, context](std::size_t number) { task(context, number); });
    };
    void* user = const_cast<void*>(static_cast<const void*>(&run));
    auto failure = detail::checked(lanecast_threads_of_tasks(count, call, user, threads.handle_.place()));
    return detail::finish(std::move(failure), std::move(threads));
  }
  template <class F>
  static Outcome<Threads> of_tasks(std::size_t count, const F&& run) = delete;

  const lanecast_threads* c() const noexcept { return handle_.get(); }

 private:
  Threads() = default;

  detail::Handle<lanecast_threads, lanecast_threads_free> handle_;
};

namespace detail {

/// What a call's callbacks threw. Each call has its own, so that options serve many calls at once.
class Call {
 public:
  Call(void* watch, void* filter) noexcept : watch_(watch), filter_(filter) {}
  Call(const Call&) = delete;
  Call& operator=(const Call&) = delete;

  /// Hears of progress for F, a callable of the caller that may return nothing, and stops the call once anything was thrown.
  template <class F>
  static bool watch(void* self, std::size_t done, std::size_t total) noexcept {
    Call& call = *static_cast<Call*>(self);
    return !call.is_stopped() && call.guarded(false, [&] {
      const F& watch = *static_cast<const F*>(call.watch_);
      if constexpr (std::is_void_v<std::invoke_result_t<const F&, std::size_t, std::size_t>>) {
        watch(done, total);
        return true;
      } else {
        return static_cast<bool>(watch(done, total));
      }
    });
  }

  /// The same where the caller does not watch.
  static bool watch_nothing(void* self, std::size_t, std::size_t) noexcept { return !static_cast<Call*>(self)->is_stopped(); }

  /// Filters hits for F.
  template <class F>
  static bool filter(void* self, std::size_t row, const lanecast_hit_f64* found, lanecast_side met) noexcept {
    Call& call = *static_cast<Call*>(self);
    // What counts of a call that is to stop does not matter; its rays are over soonest if hits do.
    return call.is_stopped() || call.guarded(true, [&] {
      const F& filter = *static_cast<const F*>(call.filter_);
      const Hit<double>& hit = *static_cast<const Hit<double>*>(static_cast<const void*>(found));
      const Side side = static_cast<Side>(met);
      if constexpr (std::is_invocable_v<const F&, std::size_t, const Hit<double>&, Side>) {
        return static_cast<bool>(filter(row, hit, side));
      } else if constexpr (std::is_invocable_v<const F&, std::size_t, const Hit<double>&>) {
        return static_cast<bool>(filter(row, hit));
      } else if constexpr (std::is_invocable_v<const F&, const Hit<double>&>) {
        return static_cast<bool>(filter(hit));
      } else {
        const Hit<float> narrow{static_cast<float>(hit.t), static_cast<float>(hit.u), static_cast<float>(hit.v),
                                hit.primitive_id, hit.geometry_id, hit.instance_id};
        if constexpr (std::is_invocable_v<const F&, std::size_t, const Hit<float>&, Side>) {
          return static_cast<bool>(filter(row, narrow, side));
        } else if constexpr (std::is_invocable_v<const F&, std::size_t, const Hit<float>&>) {
          return static_cast<bool>(filter(row, narrow));
        } else {
          return static_cast<bool>(filter(narrow));
        }
      }
    });
  }

  /// What the call came to. Rethrows what a callback threw, on the thread that called.
  Failure end(std::int32_t result) const {
#ifndef LANECAST_NO_EXCEPTIONS
    if (thrown_) std::rethrow_exception(thrown_);
#endif
    return checked(result);
  }

 private:
  bool is_stopped() const noexcept { return stopped_.load(std::memory_order_relaxed); }

  template <class F>
  bool guarded(bool otherwise, F&& callback) noexcept {
#ifdef LANECAST_NO_EXCEPTIONS
    static_cast<void>(otherwise);
    return callback();
#else
    try {
      return callback();
    } catch (...) {
      // The first one is kept; the call ends on all threads before it is read.
      if (!stopped_.exchange(true)) thrown_ = std::current_exception();
      return otherwise;
    }
#endif
  }

  void* watch_;
  void* filter_;
  std::atomic<bool> stopped_{false};
#ifndef LANECAST_NO_EXCEPTIONS
  std::exception_ptr thrown_;
#endif
};

/// A callable that is kept, and the function of C that calls it.
template <class Function>
struct Callback {
  std::shared_ptr<void> callable;
  Function function = nullptr;
};

template <class F>
inline constexpr bool is_watch = std::is_invocable_v<const F&, std::size_t, std::size_t>;

template <class F>
inline constexpr bool is_filter =
    std::is_invocable_v<const F&, std::size_t, const Hit<double>&, Side> ||
    std::is_invocable_v<const F&, std::size_t, const Hit<double>&> || std::is_invocable_v<const F&, const Hit<double>&> ||
    std::is_invocable_v<const F&, std::size_t, const Hit<float>&, Side> ||
    std::is_invocable_v<const F&, std::size_t, const Hit<float>&> || std::is_invocable_v<const F&, const Hit<float>&>;

template <class F>
Callback<lanecast_watch> watching(F&& callable) {
  using Kept = std::decay_t<F>;
  static_assert(is_watch<Kept>, "a watcher takes (std::size_t done, std::size_t total), and is const");
  return {std::make_shared<Kept>(std::forward<F>(callable)), &Call::watch<Kept>};
}

}  // namespace detail

/// The options of a query, set one after another; a query refuses those that it does not take. Threads and ids are read where
/// they lie, during calls; callables are kept. Options may be used by many calls at once.
///
///     scene.any(rays, Options().mask(2).culling(Culling::back));
class Options {
 public:
  Options& threads(const Threads& threads) noexcept { return set(c_.threads, threads.c()); }
  Options& backend(Backend backend) noexcept { return set(c_.backend, static_cast<lanecast_backend>(backend)); }
  /// Tests every primitive, without the tree. No answer depends on it.
  Options& brute_force(bool on = true) noexcept { return set(c_.brute_force, on); }
  Options& coherence(Coherence coherence) noexcept {
    return set(c_.coherence, static_cast<lanecast_coherence>(coherence));
  }
  Options& culling(Culling culling) noexcept { return set(c_.culling, static_cast<lanecast_culling>(culling)); }
  /// One a ray, in place of that of all.
  Options& cullings(span<const Culling> cullings) noexcept {
    static_assert(sizeof(Culling) == sizeof(lanecast_culling));
    cullings_ = cullings.size();
    return set(c_.cullings, static_cast<const lanecast_culling*>(static_cast<const void*>(cullings.data())));
  }
  Options& contact(Contact contact) noexcept { return set(c_.contact, static_cast<lanecast_contact>(contact)); }
  /// Answers an inside by generalised winding numbers of that accuracy, from 1 on, also where surfaces are open.
  Options& generalised_winding(double accuracy = 2) noexcept { return set(c_.generalised_winding, accuracy); }

  /// The mask of all rays: they meet geometries and instances that have a bit of it in common. 0 stands for all bits.
  Options& mask(std::uint32_t mask) noexcept { return set(c_.mask, mask); }
  /// One mask a ray.
  Options& masks(span<const std::uint32_t> masks) noexcept {
    masks_ = masks.size();
    return set(c_.masks, masks.data());
  }
  /// The primitive that each ray does not meet; `invalid_id` for none.
  Options& skip(span<const std::uint32_t> geometry_ids, span<const std::uint32_t> primitive_ids) noexcept {
    skips_ = geometry_ids.size() == primitive_ids.size() ? geometry_ids.size() : unequal;
    c_.skip_geometry_ids = geometry_ids.data();
    return set(c_.skip_primitive_ids, primitive_ids.data());
  }
  /// The instance in which each ray skips it; `invalid_id` for what is in none.
  Options& skip_in(span<const std::uint32_t> instance_ids) noexcept {
    instances_ = instance_ids.size();
    return set(c_.skip_instance_ids, instance_ids.data());
  }

  /// Whether a hit counts: `bool(std::size_t row, const Hit<double>& hit, Side side)`, of which the side, or row and side, may
  /// be left out; or the same with `Hit<float>`. It is called for each hit, by all threads at once, with the same answer each
  /// time. What it throws stops the call and is thrown by it.
  template <class F>
  Options& filter(F&& callable) {
    using Kept = std::decay_t<F>;
    static_assert(detail::is_filter<Kept>, "a filter takes (std::size_t row, const Hit<double>& hit, Side), and is const");
    filter_ = {std::make_shared<Kept>(std::forward<F>(callable)), &detail::Call::filter<Kept>};
    return *this;
  }

  /// Hears of progress: `bool(std::size_t done, std::size_t total)`, which says whether to go on, or the same without an
  /// answer. It is called by all threads at once. What it throws stops the call and is thrown by it.
  template <class F>
  Options& watch(F&& callable) {
    watch_ = detail::watching(std::forward<F>(callable));
    return *this;
  }

 private:
  template <class>
  friend class Scene;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
  static constexpr std::size_t unequal = none - 1;

  template <class V>
  Options& set(V& place, V value) noexcept {
    place = value;
    return *this;
  }

  detail::Failure check(std::size_t rows) const {
    for (const auto& [name, count] : {std::pair{"masks", masks_}, {"cullings", cullings_}, {"ids to skip", skips_}, {"instances to skip in", instances_}}) {
      if (count != none && count != rows) {
        return detail::refused(std::string("options: ") + name + " are not one a ray, of " + std::to_string(rows));
      }
    }
    return std::nullopt;
  }

  /// Runs a query of so many rows.
  template <class F>
  detail::Failure call(std::size_t rows, F&& query) const {
    if (auto failure = check(rows)) return failure;
    detail::Call call(watch_.callable.get(), filter_.callable.get());
    lanecast_options c = c_;
    c.filter = filter_.function;
    c.watch = watch_.function;
    // A filter that throws stops the call.
    if (c.filter && !c.watch) c.watch = &detail::Call::watch_nothing;
    c.filter_user = c.watch_user = &call;
    return call.end(query(&c));
  }

  static lanecast_options empty() noexcept {
    lanecast_options c{};
    c.size = sizeof c;
    return c;
  }

  lanecast_options c_ = empty();
  std::size_t masks_ = none, cullings_ = none, skips_ = none, instances_ = none;
  detail::Callback<lanecast_filter> filter_;
  detail::Callback<lanecast_watch> watch_;
};

/// How scenes are built, changed and copied.
class BuildOptions {
 public:
  BuildOptions& threads(const Threads& threads) noexcept {
    c_.threads = threads.c();
    return *this;
  }
  BuildOptions& quality(Quality quality) noexcept {
    c_.quality = static_cast<lanecast_quality>(quality);
    return *this;
  }
  /// The instructions of queries that name none. Builds only.
  BuildOptions& backend(Backend backend) noexcept {
    c_.backend = static_cast<lanecast_backend>(backend);
    return *this;
  }
  /// Makes vertices of all meshes one that lie within a distance of each other. Builds only.
  BuildOptions& weld(double tolerance) noexcept {
    c_.weld = true;
    c_.weld_tolerance = tolerance;
    return *this;
  }
  /// As `Options::watch`: of the primitives that the scene has afterwards, of a refit of its triangles, the share of the work
  /// that is done. A change that is stopped has not been made.
  template <class F>
  BuildOptions& watch(F&& callable) {
    watch_ = detail::watching(std::forward<F>(callable));
    return *this;
  }

 private:
  template <class>
  friend class Scene;

  template <class F>
  detail::Failure call(F&& build) const {
    detail::Call call(watch_.callable.get(), nullptr);
    lanecast_build_options c = c_;
    c.watch = watch_.function;
    c.watch_user = &call;
    return call.end(build(&c));
  }

  static lanecast_build_options empty() noexcept {
    lanecast_build_options c{};
    c.size = sizeof c;
    return c;
  }

  lanecast_build_options c_ = empty();
  detail::Callback<lanecast_watch> watch_;
};

LANECAST_END

#endif
