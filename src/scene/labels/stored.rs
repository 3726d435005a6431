//! Labels in files, with the ids of removed geometries, and the data that callers attach to
//! geometries.

use std::ops::Range;
use std::sync::Arc;

use bytemuck::{Pod, Zeroable};

use super::{Ids, Kept, KeptGeometry, Label};
use crate::answers::Numbering;
use crate::error::FileProblem;
use crate::store::{CACHE_LINE, Reading, SectionWriter, damaged};

/// The records. A scene without any has none of these sections.
const LABELS: &str = "labels";
/// The names of all records, in their order, with nothing between.
const NAMES: &str = "names";
const INDICES: &str = "indices";
const FACES: &str = "faces";

pub(in crate::scene) const LABEL_SECTIONS: [&str; 4] = [LABELS, NAMES, INDICES, FACES];

/// The geometries that were removed or have labels or data, then the instances with labels, each in
/// the order of ids.
#[derive(Debug, Clone, Copy, Pod, Zeroable)]
#[repr(C)]
struct Record {
    id: u32,
    flags: u32,
    user_data: u64,
    /// In bytes.
    name_length: u64,
}

const OF_INSTANCE: u32 = 1;
/// For geometries only.
const REMOVED: u32 = 2;
const DEFORMABLE: u32 = 4;
const HAS_FACES: u32 = 8;

impl Kept {
    /// Adds the sections of the scene with this number: labels, and the data that callers attach to
    /// geometries.
    pub(in crate::scene) fn store<'a>(
        &'a self,
        [geometries, instances]: [&Ids; 2],
        number: u32,
        into: &mut SectionWriter<'a>,
    ) {
        let (mut records, mut names) = (Vec::new(), String::new());
        let mut add = |id, label: &Label, flags| {
            if flags & !OF_INSTANCE != 0 || *label != Label::default() {
                let (user_data, name_length) = (label.user_data, label.name.len() as u64);
                records.push(Record { id, flags, user_data, name_length });
                names.push_str(&label.name);
            }
        };
        for id in 0..geometries.bound() {
            let flag = |is_set: bool, flag: u32| if is_set { flag } else { 0 };
            let KeptGeometry { indices, face_ids } = self.of(id);
            let flags = flag(!geometries.has(id), REMOVED)
                | flag(indices.is_some(), DEFORMABLE)
                | flag(face_ids.is_some(), HAS_FACES);
            add(id, geometries.label(id), flags);
        }
        (0..).zip(&*instances.labels).for_each(|(id, label)| add(id, label, OF_INSTANCE));
        if records.is_empty() {
            return;
        }
        into.add(LABELS, number, CACHE_LINE, bytemuck::cast_slice(&records).to_vec());
        into.add(NAMES, number, CACHE_LINE, names.into_bytes());
        let mut add_all = |name, parts: Vec<&'a [u8]>| match parts[..] {
            [] => {}
            [only] => into.add(name, number, CACHE_LINE, only),
            _ => into.add(name, number, CACHE_LINE, parts.concat()),
        };
        let indices = self.0.iter().filter_map(|kept| kept.indices.as_deref());
        add_all(INDICES, indices.map(|indices| bytemuck::cast_slice(indices)).collect());
        let face_ids = self.0.iter().filter_map(|kept| kept.face_ids.as_deref());
        add_all(FACES, face_ids.map(|face_ids| bytemuck::cast_slice(face_ids)).collect());
    }

    /// The labels and data in a file for the geometries of `numbering`, where `is_mesh` of them are
    /// meshes. Labels of instances are added to these.
    pub(in crate::scene) fn open(
        file: &Reading<'_>,
        number: u32,
        numbering: &Numbering,
        is_mesh: impl Fn(u32) -> bool,
        instances: &mut Ids,
    ) -> Result<(Ids, Kept), FileProblem> {
        let (mut geometries, mut kept) =
            (Ids::new(numbering.starts().len() as u32 - 1), Kept::default());
        if !file.has(LABELS, number) {
            return Ok((geometries, kept));
        }
        let bound = geometries.bound();
        let mut names: &[u8] = file.values(NAMES, number)?;
        let (mut indices, mut faces, mut before) = (0..0, 0..0, None);
        for &Record { id, flags, user_data, name_length } in file.values(LABELS, number)? {
            let of_instance = flags & OF_INSTANCE != 0;
            let what = if of_instance { "instance" } else { "geometry" };
            let wrong = |problem: &str| damaged(LABELS, number, format!("{what} {id}: {problem}"));
            if before.replace((of_instance, id)).is_some_and(|before| before >= (of_instance, id)) {
                return Err(wrong("not behind the one before it"));
            }
            let ids = if of_instance { &mut *instances } else { &mut geometries };
            if !(if of_instance { ids.has(id) } else { id < bound }) {
                return Err(wrong("there is none"));
            }
            let end = usize::try_from(name_length).ok().filter(|&end| end <= names.len());
            let (name, rest) =
                names.split_at(end.ok_or_else(|| wrong("its name is longer than all names"))?);
            let name = std::str::from_utf8(name)
                .map_err(|_| damaged(NAMES, number, format!("that of {what} {id} is not UTF-8")))?;
            names = rest;
            if !name.is_empty() || user_data != 0 {
                *ids.label_mut(id) = Label { name: name.to_owned(), user_data };
            }
            if of_instance {
                if flags != OF_INSTANCE {
                    return Err(wrong("flags that an instance has not"));
                }
                continue;
            }
            let count = numbering.numbers(id).len();
            match flags {
                0 => {}
                REMOVED if count > 0 || !is_mesh(id) || user_data != 0 || !name.is_empty() => {
                    return Err(wrong("removed, and there"));
                }
                REMOVED => geometries.free(id),
                _ if flags & !(DEFORMABLE | HAS_FACES) != 0 => {
                    return Err(wrong("flags that do not exist"));
                }
                _ if flags & DEFORMABLE != 0 && !is_mesh(id) => {
                    return Err(wrong("deformable, and no mesh"));
                }
                _ => {
                    if flags & DEFORMABLE != 0 {
                        let memory = file.memory(INDICES, number, next(&mut indices, count))?;
                        kept.of_mut(id).indices = Some(Arc::new(memory));
                    }
                    if flags & HAS_FACES != 0 {
                        let memory = file.memory(FACES, number, next(&mut faces, count))?;
                        kept.of_mut(id).face_ids = Some(Arc::new(memory));
                    }
                }
            }
        }
        // The last geometry is never a removed one.
        if geometries.bound() != bound {
            return Err(damaged(LABELS, number, "the last geometry is removed"));
        }
        if !names.is_empty() {
            return Err(damaged(NAMES, number, "more than the labels have"));
        }
        for (name, expected) in [(INDICES, 3 * indices.end), (FACES, faces.end)] {
            if file.has(name, number) && file.len::<u32>(name, number)? != expected {
                return Err(damaged(name, number, "not as many as the labels say"));
            }
        }
        Ok((geometries, kept))
    }
}

/// The next so many values.
fn next(range: &mut Range<usize>, count: usize) -> Range<usize> {
    *range = range.end..range.end + count;
    range.clone()
}
