//! Each leaf of each grid that holds a primitive is named once, by boxes that hold it.

use super::*;
use crate::leaf::TriangleBlock;

#[derive(Debug)]
struct Counted(usize);

impl LeafSource<TriangleBlock> for Counted {
    fn count(&self) -> usize {
        self.0
    }

    fn holds(&self, _: usize) -> bool {
        true
    }

    fn make(&self, _: usize, _: &mut TriangleBlock) {}
}

/// The box of a leaf; none in every seventh, and in no leaf of a grid of holes.
fn box_of(number: usize, row: usize, column: usize) -> Aabb {
    if (number + 3 * row + column).is_multiple_of(7) || number % 5 == 4 {
        return Aabb::EMPTY;
    }
    let min = [column as f32, row as f32, 3.0 * number as f32];
    Aabb { min, max: min.map(|x| x + 1.0) }
}

fn hold(sizes: &[[usize; 2]]) {
    let (mut grids, mut first) = (Vec::new(), 0);
    for (number, &size) in sizes.iter().enumerate() {
        let extent = [[1.0, 1.0], [1.0, 9.0], [9.0, 1.0]][number % 3];
        grids.push(LeafGrid { first, size, extent });
        first += size[0] * size[1];
    }
    let around: Vec<Aabb> = (0..sizes.len())
        .map(|number| {
            let leaves = (0..sizes[number][0])
                .flat_map(|row| (0..sizes[number][1]).map(move |column| (row, column)));
            leaves.fold(Aabb::EMPTY, |all, (row, column)| all.merged(&box_of(number, row, column)))
        })
        .collect();
    let bvh = Bvh::over_grids([0.0; 3], &grids, &around, box_of, Arc::new(Counted(first)), None);
    let bvh = bvh.expect("not stopped");
    let mut named = vec![0; first];
    let mut waiting = vec![(bvh.root, bvh.bounds)];
    while let Some((reference, around)) = waiting.pop() {
        match reference.kind() {
            NodeKind::Inner => {
                let node = &bvh.arena.nodes()[reference.node()];
                assert!(node.slots() > 0);
                for (slot, &child) in node.children[..node.slots()].iter().enumerate() {
                    let child = Reference::from_bits(child);
                    assert!(child.kind() == NodeKind::Leaf || child.node() > reference.node());
                    waiting.push((child, node.boxes.get(slot)));
                }
            }
            NodeKind::Leaf => {
                assert!(bvh.arena.stored(reference).is_none());
                let leaf = reference.line() - bvh.arena.line_count();
                let number = grids.partition_point(|grid| grid.first <= leaf) - 1;
                let (place, width) = (leaf - grids[number].first, grids[number].size[1]);
                let aabb = box_of(number, place / width, place % width);
                assert!(!aabb.is_empty() && around.contains(&aabb), "{sizes:?}: leaf {leaf}");
                named[leaf] += 1;
            }
            NodeKind::End => {}
        }
    }
    for (number, grid) in grids.iter().enumerate() {
        for place in 0..grid.size[0] * grid.size[1] {
            let is_there = !box_of(number, place / grid.size[1], place % grid.size[1]).is_empty();
            assert_eq!(named[grid.first + place], usize::from(is_there), "{sizes:?}");
        }
    }
}

#[test]
fn each_leaf_of_each_grid_is_named_once() {
    hold(&[]);
    for size in [[1, 1], [1, 2], [1, 9], [8, 8], [5, 3], [17, 33], [2, 100], [64, 64]] {
        hold(&[size]);
        hold(&[[3, 4], size]);
    }
    let many: Vec<[usize; 2]> = (0..70).map(|number| [1 + number % 5, 1 + number % 11]).collect();
    for count in [8, 9, 70] {
        hold(&many[..count]);
    }
}
