//! The stack of a single ray that meets everything in a tree whose nodes open many references
//! beside a long way down.

use super::{Arena, CacheLine, NODE_LINES, Node, NodeKind, Reference};
use crate::leaf::{TriangleBlock, TriangleLeaf};
use crate::memory::Memory;
use crate::simd::{Backend, LANES, Lanes, dispatch};
use crate::traverse::{RayStack, SlabLanes, Target, Visitor};
use crate::tree::{Bvh, FiniteRange, Leaf};
use crate::value::{Aabb, Ray};

/// Nodes one below the other, each with the next one, near the ray's origin, and with a node of
/// eight leaves behind that. The last has eight leaves alone.
fn comb(depth: usize) -> Bvh<TriangleBlock> {
    let slab = |min: f32, max: f32| Aabb { min: [min, 0.0, 0.0], max: [max, 1.0, 1.0] };
    let (near, far, anchor) = (slab(1.0, 2.0), slab(3.0, 4.0), [0.0; 3]);
    let nodes = 2 * depth + 1;
    let inner = |node: usize| Reference::new(node * NODE_LINES, NodeKind::Inner).bits();
    let leaf = |leaf: usize| {
        let line = nodes * NODE_LINES + leaf * Arena::<TriangleBlock>::BLOCK_LINES;
        Reference::new(line, NodeKind::Leaf).bits()
    };
    // Nodes come before their children: the way down at even places, leaves behind those at odd
    // ones.
    let mut lines = Vec::<CacheLine>::new();
    for node in 0..nodes {
        let (mut boxes, mut children) =
            ([far; LANES], std::array::from_fn(|lane| leaf(node / 2 * LANES + lane)));
        if node % 2 == 0 && node + 1 < nodes {
            boxes = [Aabb::EMPTY; LANES];
            children = [Reference::END.bits(); LANES];
            (boxes[0], boxes[1]) = (far, near);
            (children[0], children[1]) = (inner(node + 1), inner(node + 2));
        }
        lines.extend_from_slice(bytemuck::cast_slice(&[Node::new(&boxes, children, anchor)]));
    }
    for number in 0..(depth + 1) * LANES {
        let mut block: TriangleBlock = bytemuck::Zeroable::zeroed();
        block.fill(&[([[0.0; 3]; 3], number as u32)]);
        lines.extend_from_slice(bytemuck::cast_slice(&[block]));
    }
    let bounds = slab(1.0, 4.0);
    let arena = Arena {
        lines: Memory::copied(&lines),
        first_leaf: nodes * NODE_LINES,
        anchor,
        source: None,
        blocks: std::marker::PhantomData,
    };
    let root = Reference::new(0, NodeKind::Inner);
    let stack = arena.stack(root);
    Bvh {
        arena,
        root,
        bounds,
        range: FiniteRange::of(&bounds, anchor),
        stack,
        sah_cost_as_built: None,
    }
}

/// The leaves that a ray visits, by the numbers of their triangles.
struct Visited<const NARROWS: bool>(Vec<u32>);

impl<const NARROWS: bool> Visitor<TriangleBlock> for Visited<NARROWS> {
    const NARROWS: bool = NARROWS;

    fn visit_leaf<L: Lanes>(
        &mut self,
        _: L,
        block: &TriangleBlock,
        _: &SlabLanes<L>,
        _: &mut f32,
    ) -> bool {
        self.0.push(block.number(0));
        false
    }
}

#[inline(always)]
fn walk<L: Lanes, const NARROWS: bool>(lanes: L, bvh: &Bvh<TriangleBlock>) -> Vec<u32> {
    let ray = Ray::new([0.0, 0.5, 0.5], [1.0, 0.0, 0.0]);
    let (axes, interval, _) = bvh.seen(&ray).expect("a ray without defect");
    let mut visited = Visited::<NARROWS>(Vec::new());
    // A stack of its own: that of the thread may be larger than this tree asks for.
    let mut stack = std::thread::scope(|scope| {
        scope.spawn(|| RayStack::new(bvh.stack)).join().expect("it allocates")
    });
    bvh.walk(lanes, &mut stack, axes, interval, &mut visited);
    visited.0.sort_unstable();
    visited.0
}

#[test]
fn a_ray_through_all_of_a_deep_tree_visits_each_leaf_once() {
    for depth in [0, 1, 2, 7, 40, 300] {
        let bvh = comb(depth);
        let all: Vec<u32> = (0..((depth + 1) * LANES) as u32).collect();
        for backend in Backend::available() {
            assert!(
                dispatch!(backend, lanes => walk::<_, true>(lanes, &bvh)) == all,
                "{backend}, depth {depth}, narrowing"
            );
            assert!(
                dispatch!(backend, lanes => walk::<_, false>(lanes, &bvh)) == all,
                "{backend}, depth {depth}, not narrowing"
            );
        }
    }
}
