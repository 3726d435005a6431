//! Files of meshes, rays, points and hits: every format holds the same, and what is wrong with a
//! file is said.

mod clouds;
mod columns;
mod crafted;
mod dictionaries;
#[path = "../../../../tests/common/folder.rs"]
mod folder;
mod footer;
mod hits;
mod kept;
mod las;
mod meshes;
mod moved;
#[path = "../../../../tests/common/pattern.rs"]
mod pattern;
mod pcd;
mod pictures;
mod points;
mod rasters;
mod rays;
mod regress;
mod scans;
mod support;
mod survey;
mod texts;
mod values;
