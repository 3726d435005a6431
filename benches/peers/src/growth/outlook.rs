//! What the fitted laws say, and what they say of a thousand million triangles and of 64 cores.

use super::law::{BuildLaw, RayLaw};
use super::memory::Bandwidth;
use super::report::Report;
use super::words::{about, gigabytes, heading, number, number_or_dash};
use crate::scenes::ray_set::Order;

/// As far as the laws are stretched.
pub(super) const TRIANGLES: f64 = 1e9;
const THREADS: usize = 64;

/// What a tree may take up: lanecast refuses more.
const MOST_TREE_BYTES: f64 = 64.0 * 1_073_741_824.0;

impl Report {
    pub(super) fn words_on_triangles(&self) -> String {
        let cache = number(self.cache_bytes as f64 / 1_048_576.0);
        if self.ray_laws.is_empty() {
            return "One size shows no growth.\n".to_owned();
        }
        let mut text = format!(
            "The time of a ray is how many nodes and leaves it visits, times what a visit costs; the last-level cache \
             holds {cache} MiB.\n\n"
        );
        text.push_str(&heading(&[
            "rays",
            "visits a ray",
            "more per doubling (R²)",
            "ns a visit, tree in the cache",
            "ns a visit, largest tree",
            "more per doubling beyond the cache",
            "M rays/s at 1G",
            "Embree, ns a ray more per doubling beyond",
            "its M rays/s at 1G",
        ]));
        for law in &self.ray_laws {
            let span = law.mega_rays_per_second_at(TRIANGLES);
            let span = span.map_or_else(
                || "–".to_owned(),
                |span| format!("{} to {}", number(span.least), number(span.most)),
            );
            text.push_str(&format!(
                "| {} | {} | {} ({:.3}) | {} | {} | {} | {span} | {} | {} |\n",
                law.rays,
                number(law.visits),
                number(law.visits_line.slope),
                law.visits_line.r_squared,
                number_or_dash(law.nanoseconds_per_visit_in_cache),
                number(law.nanoseconds_per_visit),
                number_or_dash(law.visit_cost_line.map(|line| line.slope)),
                number_or_dash(law.embree_line.map(|line| line.slope)),
                number_or_dash(law.mega_rays_per_second_of_embree_at(TRIANGLES)),
            ));
        }
        text.push('\n');
        for law in &self.ray_laws {
            text.push_str(&words_on(law));
        }
        if let Some(law) = &self.build_law {
            text.push_str(&words_on_build("lanecast", law));
            let bytes = law.bytes_per_triangle * TRIANGLES;
            let fits = if bytes <= MOST_TREE_BYTES { "would fit" } else { "would not fit" };
            text.push_str(&format!(
                "  A scene holds {} of tree at most: {} triangles at that size, so that {} {fits} one.\n",
                gigabytes(MOST_TREE_BYTES),
                about(MOST_TREE_BYTES / law.bytes_per_triangle),
                about(TRIANGLES),
            ));
        }
        if let Some(law) = &self.build_law_of_embree {
            text.push_str(&words_on_build(
                "Embree, with the vertices and indices that it goes on reading",
                law,
            ));
        }
        text.push_str(
            "- What this leaves out: the terrain is a sheet, and a scene with more depth makes rays visit more; the \
             caller's mesh, and what a build needs for a time, come on top of the tree; and no line through smaller \
             trees foresees where the processor's tables of pages give out.\n",
        );
        text
    }

    pub(super) fn words_on_threads(&self) -> String {
        let mut text = String::new();
        for scaling in &self.scalings {
            let (Some(law), Some(one)) = (scaling.law(), scaling.steps.first()) else { continue };
            if law.share_of_one <= 0.0 {
                text.push_str(&format!(
                    "- {}: nothing that one thread does while others wait shows from 1 to {} threads, which says \
                     nothing of {THREADS}.\n",
                    scaling.work, law.most_threads,
                ));
                continue;
            }
            let speedup = law.speedup(THREADS);
            text.push_str(&format!(
                "- {}: as if one thread did {:.1}% of the work while others wait (Amdahl, from 1 to {} threads). \
                 {THREADS} would be {} times as fast as one, {} million a second.\n",
                scaling.work,
                100.0 * law.share_of_one,
                law.most_threads,
                number(speedup),
                number(speedup * one.mega_per_second),
            ));
        }
        if text.is_empty() {
            return "One thread shows no growth.\n".to_owned();
        }
        text.push_str(&format!(
            "- That holds where each of {THREADS} cores has the caches and the memory that a core has here. Of few \
             threads it says little: what makes {THREADS} wait for each other may not show between two. And another \
             program that has a core meanwhile looks like work that one thread does alone.\n"
        ));
        if let Some(words) = self.words_on_bandwidth() {
            text.push_str(&words);
        }
        text
    }

    /// What the incoherent rays that ask the memory for most would ask for on so many threads.
    fn words_on_bandwidth(&self) -> Option<String> {
        let Bandwidth { one_thread, all_threads, threads } = self.bandwidth?;
        let size = self.sizes.last()?;
        let incoherent =
            |law: &&RayLaw| size.set(law.rays).is_some_and(|set| set.cell.order == Order::Incoherent);
        let asked = |law: &RayLaw| (law.rays, size.bytes_per_visit / law.nanoseconds_per_visit);
        let (rays, one) =
            self.ray_laws.iter().filter(incoherent).map(asked).max_by(|a, b| a.1.total_cmp(&b.1))?;
        let all = one * THREADS as f64;
        Some(format!(
            "- Memory: if no visit found its {} bytes in a cache, the {rays} rays at {} triangles would read {} GB/s on \
             one thread and {} GB/s on {THREADS}. Here one thread reads {} GB/s in order, and {threads} read {} \
             together: on such memory {:.0}% of what {THREADS} threads visit would have to lie in caches for each to \
             keep the pace of one. More memory channels lower that share, and a larger scene asks for more of them.\n",
            number(size.bytes_per_visit),
            about(size.triangles as f64),
            number(one),
            number(all),
            number(one_thread),
            number(all_threads),
            100.0 * share_from_caches(all, all_threads),
        ))
    }
}

/// What share of the bytes asked for the caches must give where the memory gives so many.
fn share_from_caches(asked: f64, given: f64) -> f64 {
    (1.0 - given / asked).max(0.0)
}

fn words_on(law: &RayLaw) -> String {
    let line = law.visits_line;
    let mut text = format!(
        "- {}: {} + {} · log2(triangles) visits, {} at {}. ",
        law.rays,
        number(line.start),
        number(line.slope),
        number(law.visits),
        about(law.triangles),
    );
    let Some(span) = law.mega_rays_per_second_at(TRIANGLES) else {
        text.push_str(
            "Fewer than two trees were larger than the cache, so what a visit costs at a thousand million triangles \
             is not to be said.\n",
        );
        return text;
    };
    let points = law.visit_cost_line.map_or(0, |line| line.points);
    text.push_str(&format!(
        "At {}, {} visits: {} M rays/s on one thread if a visit costs no more than at {}, {} if it goes on growing as \
         over the {points} sizes beyond the cache.\n",
        about(TRIANGLES),
        number(law.visits_at(TRIANGLES)),
        number(span.most),
        about(law.triangles),
        number(span.least),
    ));
    text
}

fn words_on_build(whose: &str, law: &BuildLaw) -> String {
    format!(
        "- {whose}: building takes {} ns a triangle at {}, {} more per doubling (R² {:.3}): {} on one thread for {}. \
         There it would hold {} ({} bytes a triangle).\n",
        number(law.nanoseconds_per_triangle),
        about(law.triangles),
        number(law.line.slope),
        law.line.r_squared,
        minutes(law.seconds_at(TRIANGLES)),
        about(TRIANGLES),
        gigabytes(law.bytes_per_triangle * TRIANGLES),
        number(law.bytes_per_triangle),
    )
}

fn minutes(seconds: f64) -> String {
    format!("{} minutes", number(seconds / 60.0))
}

#[cfg(test)]
mod tests {
    use super::share_from_caches;

    #[test]
    fn caches_give_what_memory_does_not() {
        assert_eq!(share_from_caches(100.0, 25.0), 0.75);
        assert_eq!(share_from_caches(20.0, 25.0), 0.0);
    }
}
