//! Casting rays with Embree, one by one and in packets.

use super::api::{ALL_FEATURES, Api, Arguments, COHERENT, Handle, INCOHERENT, NO_GEOMETRY, Packet};
use super::float_mode::DenormalsAreZero;
use super::scene::Built;
use crate::scenes::hits::HitsMut;
use crate::scenes::ray_set::{Query, RaySlice};

/// How many rays a call takes.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Width {
    One,
    Four,
    Eight,
    Sixteen,
}

/// What Embree is told of the rays.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Hint {
    Coherent,
    Incoherent,
}

impl Built {
    /// Casts the rays in order. Their number is a multiple of 16.
    pub(crate) fn trace(
        &self,
        width: Width,
        hint: Hint,
        query: Query,
        rays: RaySlice<'_>,
        hits: HitsMut<'_>,
    ) {
        let _mode = DenormalsAreZero::set();
        let arguments = Arguments {
            flags: match hint {
                Hint::Coherent => COHERENT,
                Hint::Incoherent => INCOHERENT,
            },
            features: ALL_FEATURES,
            context: std::ptr::null_mut(),
            filter: std::ptr::null(),
            function: std::ptr::null(),
            least_width_factor: 0.0,
        };
        match (width, query) {
            (Width::One, Query::Closest) => {
                self.trace_in_packets::<1, false>(&arguments, rays, hits);
            }
            (Width::One, Query::Any) => self.trace_in_packets::<1, true>(&arguments, rays, hits),
            (Width::Four, Query::Closest) => {
                self.trace_in_packets::<4, false>(&arguments, rays, hits);
            }
            (Width::Four, Query::Any) => self.trace_in_packets::<4, true>(&arguments, rays, hits),
            (Width::Eight, Query::Closest) => {
                self.trace_in_packets::<8, false>(&arguments, rays, hits);
            }
            (Width::Eight, Query::Any) => self.trace_in_packets::<8, true>(&arguments, rays, hits),
            (Width::Sixteen, Query::Closest) => {
                self.trace_in_packets::<16, false>(&arguments, rays, hits);
            }
            (Width::Sixteen, Query::Any) => {
                self.trace_in_packets::<16, true>(&arguments, rays, hits);
            }
        }
    }

    fn trace_in_packets<const N: usize, const ANY: bool>(
        &self,
        arguments: &Arguments,
        rays: RaySlice<'_>,
        hits: HitsMut<'_>,
    ) {
        let api = &*self.device.api;
        // What Embree does not change is written once.
        let mut packet = Packet::<N>::EMPTY;
        let columns = rays.columns.map(|column| column.as_chunks::<N>().0);
        let packets = columns[0].len();
        assert!(
            columns.iter().all(|column| column.len() == packets)
                && packets * N == rays.columns[0].len()
        );
        let (ts, _) = hits.t.as_chunks_mut::<N>();
        let (us, _) = hits.u.as_chunks_mut::<N>();
        let (vs, _) = hits.v.as_chunks_mut::<N>();
        let (primitive_ids, _) = hits.primitive_id.as_chunks_mut::<N>();
        let (geometry_ids, _) = hits.geometry_id.as_chunks_mut::<N>();
        let (met, _) = hits.met.as_chunks_mut::<N>();
        for place in 0..packets {
            // Each column straight to its place: a copy in between would cost Embree some percent.
            for axis in 0..3 {
                packet.rays.origin[axis] = columns[axis][place];
                packet.rays.direction[axis] = columns[3 + axis][place];
            }
            packet.rays.t_near = columns[6][place];
            packet.rays.t_far = columns[7][place];
            if ANY {
                // SAFETY: scene and packet are alive, and the packet is laid out as the manual
                // says.
                unsafe { api.occluded(self.handle, &mut packet, arguments) };
                met[place] = packet.rays.t_far.map(|t| t == f32::NEG_INFINITY);
            } else {
                packet.hits.geometry_id = [NO_GEOMETRY; N];
                // SAFETY: as above.
                unsafe { api.intersect(self.handle, &mut packet, arguments) };
                met[place] = packet.hits.geometry_id.map(|id| id != NO_GEOMETRY);
                ts[place] = packet.rays.t_far;
                us[place] = packet.hits.u;
                vs[place] = packet.hits.v;
                primitive_ids[place] = packet.hits.primitive_id;
                geometry_ids[place] = packet.hits.geometry_id;
            }
        }
    }
}

impl<const N: usize> Packet<N> {
    const EMPTY: Self = Self {
        rays: super::api::Rays {
            origin: [[0.0; N]; 3],
            t_near: [0.0; N],
            direction: [[0.0; N]; 3],
            time: [0.0; N],
            t_far: [0.0; N],
            mask: [u32::MAX; N],
            id: [0; N],
            flags: [0; N],
        },
        hits: super::api::Hits {
            normal: [[0.0; N]; 3],
            u: [0.0; N],
            v: [0.0; N],
            primitive_id: [NO_GEOMETRY; N],
            geometry_id: [NO_GEOMETRY; N],
            instance_id: [NO_GEOMETRY; N],
            instance_primitive_id: [NO_GEOMETRY; N],
        },
    };
}

/// All rays of a packet take part.
#[repr(C, align(64))]
struct All([i32; 16]);

static ALL: All = All([-1; 16]);

impl Api {
    /// # Safety
    /// The scene is committed and alive.
    unsafe fn intersect<const N: usize>(
        &self,
        scene: Handle,
        packet: &mut Packet<N>,
        arguments: &Arguments,
    ) {
        let (valid, packet) = (ALL.0.as_ptr(), std::ptr::from_mut(packet).cast());
        // SAFETY: as the caller says; the packet holds as many rays as the function takes.
        unsafe {
            match N {
                1 => (self.intersect1)(scene, packet, arguments),
                4 => (self.intersect4)(valid, scene, packet, arguments),
                8 => (self.intersect8)(valid, scene, packet, arguments),
                16 => (self.intersect16)(valid, scene, packet, arguments),
                _ => unreachable!(),
            }
        }
    }

    /// # Safety
    /// The scene is committed and alive.
    unsafe fn occluded<const N: usize>(
        &self,
        scene: Handle,
        packet: &mut Packet<N>,
        arguments: &Arguments,
    ) {
        let (valid, packet) = (ALL.0.as_ptr(), std::ptr::from_mut(packet).cast());
        // SAFETY: as the caller says; the packet holds as many rays as the function takes.
        unsafe {
            match N {
                1 => (self.occluded1)(scene, packet, arguments),
                4 => (self.occluded4)(valid, scene, packet, arguments),
                8 => (self.occluded8)(valid, scene, packet, arguments),
                16 => (self.occluded16)(valid, scene, packet, arguments),
                _ => unreachable!(),
            }
        }
    }
}
