//! What an input of the target says: calls, and the numbers and indices in its buffers.

use arbitrary::{Arbitrary, Unstructured};
use lanecast_fuzz::{Number, up_to};

/// Numbers of each buffer: no call is told of more than lie there.
pub const ROOM: usize = 96;

#[derive(Arbitrary, Debug)]
pub enum Call {
    Triangles {
        precision: u8,
        vertices: Rows,
        triangles: Rows,
        may_move: bool,
    },
    Spheres {
        precision: u8,
        spheres: Rows,
    },
    HeightField {
        precision: u8,
        rows: u8,
        columns: u8,
        origin: [Number; 2],
        spacing: [Number; 2],
    },
    Build {
        precision: u8,
        first: u8,
        count: u8,
        options: Building,
        instances: Vec<(u8, [Number; 12])>,
    },
    Add {
        scene: u8,
        first: u8,
        count: u8,
        options: Building,
    },
    Replace {
        scene: u8,
        ids: [u32; 2],
        first: u8,
        count: u8,
    },
    Remove {
        scene: u8,
        ids: [u32; 2],
        count: u8,
    },
    Refit {
        scene: u8,
        id: u32,
        vertices: Rows,
    },
    Rebuild {
        scene: u8,
        options: Building,
    },
    Copy {
        scene: u8,
    },
    AddInstances {
        scene: u8,
        of: u8,
        transform: [Number; 12],
    },
    RemoveInstances {
        scene: u8,
        numbers: [u32; 2],
        count: u8,
    },
    SetMask {
        scene: u8,
        id: u32,
        mask: u32,
    },
    ThroughBytes {
        scene: u8,
        change: Option<(u16, u8)>,
        less: u8,
    },
    Ask {
        scene: u8,
        query: u8,
        rays: Rays,
        options: Options,
    },
    FreeGeometry(u8),
    FreeScene(u8),
}

/// Where rows begin in a buffer, how many there are, and how many numbers on the next one begins.
#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Rows {
    pub is_null: bool,
    pub first: u8,
    pub count: u8,
    pub stride: u8,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Building {
    pub is_given: bool,
    pub is_short: bool,
    pub quality: i8,
    pub backend: i8,
    pub weld: Option<Number>,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Rays {
    pub precision: u8,
    pub is_short: bool,
    pub count: u8,
    pub stride: u8,
    pub interval: bool,
}

#[derive(Arbitrary, Debug, Clone, Copy)]
pub struct Options {
    pub is_given: bool,
    pub backend: i8,
    pub brute_force: bool,
    pub coherence: i8,
    pub culling: i8,
    pub mask: u32,
    pub contact: i8,
    pub winding: Option<Number>,
}

#[derive(Debug)]
pub struct Program {
    pub calls: Vec<Call>,
    pub numbers: [Number; ROOM],
    pub indices: [u8; ROOM],
}

impl<'a> Arbitrary<'a> for Program {
    /// Calls come first, and what numbers and indices the bytes do not reach are of a small grid: a
    /// short input is a few calls that may succeed.
    fn arbitrary(bytes: &mut Unstructured<'a>) -> arbitrary::Result<Self> {
        let calls = up_to(24, bytes)?;
        let mut numbers = std::array::from_fn(|at| Number((at * 7 % 5) as f64));
        let mut indices = std::array::from_fn(|at| at as u8);
        for number in &mut numbers {
            if bytes.is_empty() {
                break;
            }
            *number = bytes.arbitrary()?;
        }
        for index in &mut indices {
            if bytes.is_empty() {
                break;
            }
            *index = bytes.arbitrary()?;
        }
        Ok(Self { calls, numbers, indices })
    }
}
