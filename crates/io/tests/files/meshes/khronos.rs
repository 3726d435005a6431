//! Shapes of the sample assets that Khronos publishes, by their names, with data made here.

use super::files::glb;
use crate::folder::Folder;
use crate::pattern::assert_reads;
use lanecast::Affine;
use lanecast_io::{Mesh, Model, read_model};

/// A glTF file as it is put together.
#[derive(Default)]
struct Asset {
    bytes: Vec<u8>,
    views: Vec<String>,
    accessors: Vec<String>,
    meshes: Vec<String>,
    nodes: Vec<String>,
    /// More members of the document, each with a comma behind.
    more: String,
}

const I8: u32 = 5120;
const U8: u32 = 5121;
const I16: u32 = 5122;
const U16: u32 = 5123;
const F32: u32 = 5126;

impl Asset {
    fn view(&mut self, bytes: &[u8], more: &str) -> usize {
        self.bytes.resize(self.bytes.len().next_multiple_of(4), 0);
        let (offset, length) = (self.bytes.len(), bytes.len());
        self.bytes.extend(bytes);
        self.views
            .push(format!(r#"{{"buffer":0,"byteOffset":{offset},"byteLength":{length}{more}}}"#));
        self.views.len() - 1
    }

    fn accessor(&mut self, kind: u32, count: usize, shape: &str, more: &str) -> usize {
        // Positions must have bounds, of which nothing is taken.
        let bounds = if shape == "VEC3" { r#","min":[0,0,0],"max":[1,1,1]"# } else { "" };
        self.accessors.push(format!(
            r#"{{"componentType":{kind},"count":{count},"type":"{shape}"{bounds}{more}}}"#
        ));
        self.accessors.len() - 1
    }

    /// An accessor of these bytes.
    fn data(&mut self, kind: u32, count: usize, shape: &str, bytes: &[u8]) -> usize {
        let view = self.view(bytes, "");
        self.accessor(kind, count, shape, &format!(r#","bufferView":{view}"#))
    }

    fn floats<const N: usize>(&mut self, rows: &[[f32; N]]) -> usize {
        let shape = ["SCALAR", "VEC2", "VEC3", "VEC4"][N - 1];
        self.data(F32, rows.len(), shape, &floats(rows))
    }

    fn indices(&mut self, indices: &[u16]) -> usize {
        let bytes: Vec<u8> = indices.iter().flat_map(|x| x.to_le_bytes()).collect();
        self.data(U16, indices.len(), "SCALAR", &bytes)
    }

    fn mesh(&mut self, primitives: &[String]) {
        self.meshes.push(format!(r#"{{"primitives":[{}]}}"#, primitives.join(",")));
    }

    fn node(&mut self, members: &str) {
        self.nodes.push(format!("{{{members}}}"));
    }

    /// With the one mesh in the one node.
    fn of_one(mut self, primitive: String) -> Self {
        self.mesh(&[primitive]);
        self.node(r#""mesh":0"#);
        self
    }

    fn glb(&self) -> Vec<u8> {
        let mut bytes = self.bytes.clone();
        bytes.resize(bytes.len().next_multiple_of(4), 0);
        let roots: Vec<String> = (0..self.nodes.len()).map(|node| node.to_string()).collect();
        let json = format!(
            r#"{{"asset":{{"version":"2.0"}},{}"scenes":[{{"nodes":[{}]}}],"nodes":[{}],"meshes":[{}],
            "accessors":[{}],"bufferViews":[{}],"buffers":[{{"byteLength":{}}}]}}"#,
            self.more,
            roots.join(","),
            self.nodes.join(","),
            self.meshes.join(","),
            self.accessors.join(","),
            self.views.join(","),
            bytes.len(),
        );
        glb(&json, &bytes)
    }

    fn model(&self) -> Model {
        Folder::new().model("m.glb", self.glb()).unwrap()
    }

    fn meshes(&self) -> Vec<Mesh> {
        self.model().into_meshes().unwrap()
    }

    /// Checks what is said of it: a pattern.
    #[track_caller]
    fn is_refused(&self, problem: &str) {
        let error = Folder::new().mesh_error("m.glb", self.glb());
        assert_reads(&error, &format!("m.glb: {problem}"));
    }
}

fn floats<const N: usize>(rows: &[[f32; N]]) -> Vec<u8> {
    crate::support::floats(rows.as_flattened())
}

fn attributes(position: usize, more: &str) -> String {
    format!(r#"{{"attributes":{{"POSITION":{position}}}{more}}}"#)
}

const CORNERS: [[f32; 3]; 4] = [[0., 0., 0.], [1., 0., 0.], [0., 1., 0.], [1., 1., 0.5]];
const UP: [f32; 3] = [0.0, 0.0, 1.0];

/// A triangle in one node, for files that have something else of interest.
fn triangle() -> Asset {
    let mut asset = Asset::default();
    let positions = asset.floats(&CORNERS[..3]);
    asset.of_one(attributes(positions, ""))
}

#[test]
fn mesh_primitive_modes() {
    let expected: [&[[u32; 3]]; 7] =
        [&[], &[], &[], &[], &[[0, 1, 2]], &[[0, 1, 2], [1, 3, 2]], &[[1, 2, 0], [2, 3, 0]]];
    for (mode, expected) in expected.into_iter().enumerate() {
        for with_indices in [false, true] {
            let mut asset = Asset::default();
            let corners = if mode == 4 { 3 } else { 4 };
            let positions = asset.floats(&CORNERS);
            let indices = asset.indices(&[0, 1, 2, 3][..corners]);
            let indices = format!(r#","mode":{mode},"indices":{indices}"#);
            let plain = asset.floats(&CORNERS[..corners]);
            let primitive = match with_indices {
                true => attributes(positions, &indices),
                false => attributes(plain, &format!(r#","mode":{mode}"#)),
            };
            let model = asset.of_one(primitive).model();
            let said: &[&str] =
                if mode < 4 { &["1 primitive of points or lines left out"] } else { &[] };
            assert_eq!(model.remarks, said);
            let none = |mesh: &Mesh| mesh.normals.is_none() && mesh.face_ids.is_none();
            assert!(model.meshes.iter().all(none));
            let triangles: Vec<_> =
                model.into_meshes().unwrap().into_iter().flat_map(|mesh| mesh.triangles).collect();
            assert_eq!(triangles, expected, "mode {mode}");
        }
    }
}

/// Positions and normals in turn, indices in a view of their own, a matrix, and a texture that is
/// not there.
#[test]
fn box_interleaved_and_textured() {
    let mut asset = Asset {
        more: r#""materials":[{"pbrMetallicRoughness":{"baseColorTexture":{"index":0}}}],
            "textures":[{"source":0}],"images":[{"uri":"gone.png"}],"cameras":[{"type":"none"}],"#
            .to_owned(),
        ..Asset::default()
    };
    let rows: Vec<[f32; 6]> = CORNERS.iter().map(|[x, y, z]| [0.0, 0.0, 2.0, *x, *y, *z]).collect();
    let view = asset.view(&floats(&rows), r#","byteStride":24,"target":34962"#);
    let normals = asset.accessor(F32, 4, "VEC3", &format!(r#","bufferView":{view}"#));
    let positions =
        asset.accessor(F32, 4, "VEC3", &format!(r#","bufferView":{view},"byteOffset":12"#));
    let indices = asset.indices(&[0, 1, 2, 2, 1, 3]);
    let texture = asset.floats(&[[0.0, 0.0]; 4]);
    asset.mesh(&[format!(
        r#"{{"attributes":{{"NORMAL":{normals},"POSITION":{positions},"TEXCOORD_0":{texture},"_BATCHID":{texture}}},
            "indices":{indices},"material":0}}"#
    )]);
    // A turn about x, which carries z to −y.
    asset.node(r#""mesh":0,"name":"box","matrix":[1,0,0,0, 0,0,1,0, 0,-1,0,0, 0,0,5,1]"#);
    let model = asset.model();
    assert!(model.remarks.is_empty());
    assert_eq!(model.meshes[0].normals, Some(vec![[0.0, 0.0, 2.0]; 4]));
    let mesh = model.into_meshes().unwrap().remove(0);
    assert_eq!((&mesh.name[..], &mesh.triangles[..]), ("box", &[[0, 1, 2], [2, 1, 3]][..]));
    assert_eq!(mesh.vertices[3], [1.0, -0.5, 6.0]);
    assert_eq!(mesh.normals, Some(vec![[0.0, -1.0, 0.0]; 4]));
}

#[test]
fn simple_sparse_accessor() {
    for base in [true, false] {
        let mut asset = Asset::default();
        let view = if base {
            format!(r#","bufferView":{}"#, asset.view(&floats(&CORNERS), ""))
        } else {
            String::new()
        };
        let indices = asset.view(&[1, 0, 3, 0], "");
        let values = asset.view(&floats(&[[5.0, 6.0, 7.0], [8.0, 9.0, 10.0]]), "");
        let sparse = format!(
            r#"{view},"sparse":{{"count":2,"indices":{{"bufferView":{indices},"componentType":{U16}}},
                "values":{{"bufferView":{values}}}}}"#
        );
        let positions = asset.accessor(F32, 4, "VEC3", &sparse);
        let mut asset = asset.of_one(attributes(positions, r#","mode":5"#));
        let mut expected = if base { CORNERS } else { [[0.0; 3]; 4] };
        (expected[1], expected[3]) = ([5.0, 6.0, 7.0], [8.0, 9.0, 10.0]);
        assert_eq!(asset.meshes()[0].vertices, expected);

        let sound = asset.accessors[0].clone();
        for (from, to, problem) in [
            (
                "\"count\":4",
                "\"count\":3",
                ": sparse indices: element 3 does not exist; there are 3",
            ),
            (
                "{\"count\":2",
                "{\"count\":3",
                ": sparse indices: 3 elements of 2 bytes reach beyond…",
            ),
            // Nothing is reserved for it.
            ("\"count\":4", "\"count\":99999999999", "…"),
        ] {
            asset.accessors[0] = sound.replace(from, to);
            asset.is_refused(&format!("mesh 0, primitive 0: accessor 0{problem}"));
        }
    }
}

/// Integers as they are, and as fractions of the largest.
#[test]
fn quantized_variants() {
    let cases: [(u32, &[u8], f32); 4] = [
        (I8, &[0x81, 127, 64, 0x80], 127.0),
        (U8, &[0, 255, 51, 1], 255.0),
        (I16, &[0x01, 0x80, 0xff, 0x7f, 0x00, 0x40, 0x00, 0x80], 32_767.0),
        (U16, &[0, 0, 0xff, 0xff, 0x33, 0x33, 1, 0], 65_535.0),
    ];
    for (kind, bytes, largest) in cases {
        let values: Vec<f32> = match kind {
            I8 => bytes.iter().map(|x| f32::from(*x as i8)).collect(),
            U8 => bytes.iter().map(|x| f32::from(*x)).collect(),
            I16 => bytes.chunks(2).map(|x| f32::from(i16::from_le_bytes([x[0], x[1]]))).collect(),
            _ => bytes.chunks(2).map(|x| f32::from(u16::from_le_bytes([x[0], x[1]]))).collect(),
        };
        let size = bytes.len() / 4;
        // Rows of three and a filler, as the format wants them at multiples of four bytes.
        let row = |at: usize| [(); 4].map(|()| &bytes[at * size..][..size]).concat();
        let rows: Vec<u8> = (0..4).flat_map(row).collect();
        for normalized in [false, true] {
            let mut asset = Asset {
                more: r#""extensionsUsed":["KHR_mesh_quantization"],"extensionsRequired":["KHR_mesh_quantization"],"#
                    .to_owned(),
                ..Asset::default()
            };
            let view = asset.view(&rows, &format!(r#","byteStride":{}"#, 4 * size));
            let more = format!(r#","bufferView":{view},"normalized":{normalized}"#);
            let positions = asset.accessor(kind, 4, "VEC3", &more);
            let asset = asset.of_one(format!(
                r#"{{"attributes":{{"POSITION":{positions},"NORMAL":{positions}}},"mode":5}}"#
            ));
            let mesh = &asset.meshes()[0];
            let expected = |x: f32| match normalized {
                true => (f64::from(x) / f64::from(largest)).max(-1.0) as f32,
                false => x,
            };
            let expected: Vec<[f32; 3]> = values.iter().map(|x| [expected(*x); 3]).collect();
            assert_eq!(mesh.vertices, expected, "{kind} {normalized}");
            assert_eq!(mesh.normals.as_ref(), Some(&expected), "{kind} {normalized}");
        }
    }
    // Other types are no positions.
    let mut asset = Asset::default();
    let positions = asset.data(5125, 1, "VEC3", &[0; 12]);
    let problem = "mesh 0, primitive 0: positions are not 3 numbers but Vec3 of U32";
    asset.of_one(attributes(positions, "")).is_refused(problem);
}

#[test]
fn simple_meshes_share_one_mesh_in_two_nodes() {
    let mut asset = triangle();
    asset.meshes[0] = asset.meshes[0].replace(r#"{"primitives"#, r#"{"name":"leaf","primitives"#);
    asset.nodes[0] = r#"{"mesh":0,"name":"left"}"#.to_owned();
    asset.node(r#""mesh":0,"translation":[3,0,0],"scale":[2,2,-2]"#);
    let model = asset.model();
    assert_eq!((model.meshes.len(), model.placements.len()), (1, 2), "no copy");
    assert_eq!((&model.meshes[0].name[..], &model.placements[0].name[..]), ("leaf", "left"));
    assert_eq!(model.placements[1].transform.rows()[0], [2.0, 0.0, 0.0, 3.0]);
    let meshes = model.into_meshes().unwrap();
    assert_eq!([&meshes[0].name[..], &meshes[1].name], ["left/leaf", "leaf"]);
    assert_eq!(meshes[0].vertices, CORNERS[..3]);
    // A mirror turns the triangle over, so that it faces as before.
    assert_eq!(meshes[1].vertices, [[3., 0., 0.], [5., 0., 0.], [3., 2., 0.]]);
    assert_eq!(meshes[1].triangles, [[0, 2, 1]]);
}

/// Names from all levels, of what has them.
#[test]
fn names_are_those_of_node_mesh_and_primitive() {
    let mut asset = triangle();
    let positions = asset.floats(&CORNERS[..3]);
    asset.mesh(&[
        attributes(positions, ""),
        attributes(positions, r#","mode":0"#),
        attributes(positions, ""),
    ]);
    asset.node(r#""mesh":1,"name":"node""#);
    asset.node(r#""mesh":1"#);
    let names: Vec<_> = asset.meshes().into_iter().map(|mesh| mesh.name).collect();
    assert_eq!(names, ["m", "node/0", "node/2", "0", "2"]);
}

#[test]
fn negative_scale_keeps_normals_outside() {
    let mut asset = Asset::default();
    let positions = asset.floats(&CORNERS[..3]);
    let normals = asset.floats(&[UP; 3]);
    let slope = asset.floats(&[[1.0, 0.0, 1.0]; 3]);
    let primitive = format!(r#"{{"attributes":{{"POSITION":{positions},"NORMAL":{normals}}}}}"#);
    let mut asset = asset.of_one(primitive);
    let mut scaled = |scale: &str, replaced: Option<usize>| {
        asset.nodes[0] = format!(r#"{{"mesh":0,"scale":[{scale}]}}"#);
        if let Some(slope) = replaced {
            let [from, to] = [normals, slope].map(|number| format!(r#""NORMAL":{number}"#));
            asset.meshes[0] = asset.meshes[0].replace(&from, &to);
        }
        asset.meshes().remove(0)
    };
    let mesh = scaled("-1,1,4", None);
    assert_eq!((&mesh.triangles[..], mesh.normals), (&[[0, 2, 1]][..], Some(vec![UP; 3])));
    assert_eq!(scaled("1,1,-4", None).normals, Some(vec![[0.0, 0.0, -1.0]; 3]));
    // A roof of 45 degrees that is made twice as long is flatter.
    let normal = scaled("2,1,1", Some(slope)).normals.unwrap()[0];
    assert_eq!(normal, [1.0 / 5.0_f64.sqrt(), 0.0, 2.0 / 5.0_f64.sqrt()].map(|x| x as f32));
    // What is flat has no normal to speak of, and is read.
    assert_eq!(scaled("0,0,0", None).normals, Some(vec![[0.0; 3]; 3]));
}

#[test]
fn simple_instancing() {
    let mut asset = triangle();
    asset.more = r#""extensionsRequired":["EXT_mesh_gpu_instancing"],"#.to_owned();
    let translations = asset.floats(&[[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]);
    let scales = asset.floats(&[[1.0, 1.0, 1.0], [2.0, 3.0, 1.0]]);
    // A half turn about z, as whole numbers.
    let rotations = asset.data(
        I16,
        2,
        "VEC4",
        &[[0_u8, 0, 0, 0, 0, 0, 0xff, 0x7f], [0, 0, 0, 0, 0xff, 0x7f, 0, 0]].concat(),
    );
    asset.accessors[rotations] = asset.accessors[rotations].replace('}', r#","normalized":true}"#);
    let node = |members: &str| {
        format!(
            r#"{{"mesh":0,"name":"tree","translation":[100,0,0],"extensions":{{"EXT_mesh_gpu_instancing":{{{members}}}}}}}"#
        )
    };
    asset.nodes[0] = node(&format!(
        r#""attributes":{{"TRANSLATION":{translations},"ROTATION":{rotations},"SCALE":{scales},"_ID":{scales}}}"#
    ));
    let model = asset.model();
    assert_eq!((model.meshes.len(), model.placements.len()), (1, 2));
    assert!(
        model
            .placements
            .iter()
            .all(|placement| placement.name == "tree" && placement.meshes == (0..1))
    );
    let meshes = model.into_meshes().unwrap();
    assert_eq!(meshes[0].vertices, [[101., 2., 3.], [102., 2., 3.], [101., 3., 3.]]);
    assert_eq!(meshes[1].vertices, [[104., 5., 6.], [102., 5., 6.], [104., 2., 6.]]);

    let short = asset.floats(&[[1.0, 2.0, 3.0]]);
    for (attributes, problem) in [
        (
            format!(r#""TRANSLATION":{translations},"SCALE":{short}"#),
            ", EXT_mesh_gpu_instancing: its attributes are of [1, 2] instances",
        ),
        (
            r#""TRANSLATION":99"#.to_owned(),
            ", EXT_mesh_gpu_instancing: TRANSLATION: accessor 99 does not exist",
        ),
        (
            format!(r#""ROTATION":{short}"#),
            ", EXT_mesh_gpu_instancing: ROTATION are not 4 numbers but Vec3 of F32",
        ),
    ] {
        asset.nodes[0] = node(&format!(r#""attributes":{{{attributes}}}"#));
        asset.is_refused(&format!("node 0{problem}"));
    }
    asset.nodes[0] = node("");
    asset.is_refused("node 0: EXT_mesh_gpu_instancing without attributes");
}

#[test]
fn simple_morph_and_simple_skin_are_left_in_rest_pose() {
    let mut asset = triangle();
    asset.meshes[0] = asset.meshes[0]
        .replace(r#"{"attributes""#, r#"{"targets":[{"POSITION":0},{"POSITION":0}],"attributes""#);
    asset.nodes[0] = r#"{"mesh":0,"skin":0,"weights":[1,0]}"#.to_owned();
    asset.more =
        r#""skins":[{"joints":[7]}],"animations":[{"channels":[],"samplers":[]}],"#.to_owned();
    let model = asset.model();
    assert_eq!(
        model.remarks,
        [
            "1 skinned node left in rest pose, not moved by its transform",
            "1 primitive with morph targets left in rest pose",
            "1 animation left out"
        ]
    );
    assert_eq!(model.meshes[0].vertices, CORNERS[..3]);
}

/// "The transform of the skinned mesh node MUST be ignored" (glTF 2.0, 3.7.3.1): its own and its
/// parents'. Children of the node are moved by it.
#[test]
fn a_skinned_node_stands_where_its_mesh_is() {
    let mut asset = triangle();
    asset.nodes = vec![
        r#"{"translation":[100,0,0],"children":[1]}"#.to_owned(),
        r#"{"mesh":0,"skin":0,"translation":[0,10,0],"children":[2]}"#.to_owned(),
        r#"{"mesh":0,"translation":[0,0,1]}"#.to_owned(),
    ];
    // Only the first is a root; blanks keep the lengths of the file.
    let (mut bytes, all) = (asset.glb(), br#""nodes":[0,1,2]"#);
    let at = bytes.windows(all.len()).position(|some| some == all).unwrap();
    bytes[at..at + all.len()].copy_from_slice(br#""nodes":[0    ]"#);
    let model = Folder::new().model("m.glb", bytes).unwrap();
    let places: Vec<_> = model.placements.iter().map(|placement| placement.transform).collect();
    assert_eq!(places, [Affine::IDENTITY, Affine::translation([100.0, 10.0, 1.0])]);
}

#[test]
fn what_no_scene_places_is_told_of() {
    let mut asset = triangle();
    asset.mesh(&[attributes(0, "")]);
    assert_eq!(asset.model().remarks, ["1 mesh that the scene does not place left out"]);
}

/// Materials, lights, textures and what else says nothing of geometry, each required.
#[test]
fn extensions_that_say_nothing_of_geometry_never_refuse_a_file() {
    let names = "KHR_materials_unlit KHR_materials_variants KHR_materials_pbrSpecularGlossiness KHR_materials_volume \
        KHR_texture_transform KHR_texture_basisu EXT_texture_webp EXT_texture_avif MSFT_texture_dds KHR_lights_punctual \
        EXT_lights_image_based EXT_lights_ies KHR_xmp KHR_xmp_json_ld KHR_animation_pointer KHR_techniques_webgl \
        MSFT_packing_normalRoughnessMetallic MSFT_packing_occlusionRoughnessMetallic AGI_articulations AGI_stk_metadata \
        EXT_mesh_features EXT_structural_metadata EXT_instance_features CESIUM_primitive_outline KHR_audio_emitter \
        EXT_materials_bump ADOBE_materials_clearcoat_tint";
    for name in names.split_whitespace() {
        let mut asset = triangle();
        asset.more = format!(r#""extensionsUsed":["{name}"],"extensionsRequired":["{name}"],"#);
        asset.more += r#""textures":[{"extensions":{"X":{}}}],"materials":[{"extensions":{"X":{"a":{"index":5}}}}],
            "extensions":{"KHR_lights_punctual":{"lights":[{"type":"moon"}]}},"#;
        asset.nodes[0] =
            r#"{"mesh":0,"extensions":{"KHR_lights_punctual":{"light":9}}}"#.to_owned();
        asset.meshes[0] = asset.meshes[0].replace(
            r#"{"attributes""#,
            r#"{"material":0,"extensions":{"KHR_materials_variants":[1]},"attributes""#,
        );
        let model = asset.model();
        assert_eq!((model.meshes[0].triangles.len(), model.remarks.len()), (1, 0), "{name}");
    }
}

#[test]
fn compressed_and_unknown_extensions_are_refused_by_name() {
    let mut asset = triangle();
    for name in ["KHR_draco_mesh_compression", "EXT_meshopt_compression", "KHR_meshopt_compression"]
    {
        asset.more = format!(
            r#""extensionsUsed":["{name}"],"extensionsRequired":["KHR_materials_unlit","{name}"],"#
        );
        let remedy = "which is not supported: decompress it with gltf-transform or gltfpack";
        asset.is_refused(&format!("needs {name}, {remedy}"));
        // What is not required has a fallback beside it.
        asset.more = format!(r#""extensionsUsed":["{name}"],"#);
        let model = asset.model();
        assert_eq!((model.meshes[0].triangles.len(), model.remarks.len()), (1, 0), "{name}");
    }
    asset.more = r#""extensionsRequired":["ACME_teapot"],"#.to_owned();
    asset.is_refused("needs the extension ACME_teapot, which is not known");
    asset.more = r#""extensionsUsed":["ACME_teapot","MSFT_lod"],"#.to_owned();
    assert_eq!(asset.model().remarks, ["2 unknown extensions left out: ACME_teapot, MSFT_lod"]);
}

#[test]
fn another_version_is_refused_by_name() {
    let folder = Folder::new();
    for (version, problem) in
        [("1.0", "version \"1.0\" of glTF, which is not read; 2.0 is"), ("2.1", "…expected…")]
    {
        let text = format!(
            r#"{{"asset":{{"version":"{version}"}},"meshes":{{"a":{{"primitives":[]}}}}}}"#
        );
        folder.refuses(read_model::<f32>, [("m.gltf", text.into_bytes(), problem)]);
    }
}

#[test]
fn a_position_that_is_not_finite_must_be_named_by_no_triangle() {
    let mut asset = Asset::default();
    let positions = asset.floats(&[CORNERS[0], [f32::NAN, 0.0, 0.0], CORNERS[1], CORNERS[2]]);
    let [sound, wild] = [[0, 2, 3], [0, 1, 2]].map(|corners| asset.indices(&corners));
    let asset = asset.of_one(attributes(positions, &format!(r#","indices":{sound}"#)));
    let model = asset.model();
    assert_eq!(model.remarks, ["1 vertex that no face names put at 0: not finite, or too large"]);
    assert_eq!(model.meshes[0].vertices[1], [0.0; 3]);
    let asset = Asset { meshes: vec![], nodes: vec![], ..asset }
        .of_one(attributes(positions, &format!(r#","indices":{wild}"#)));
    let vertex =
        "mesh 0, primitive 0: vertex 1, numbered from 0, which a face names, is [NaN, 0.0, 0.0]";
    asset.is_refused(&format!(
        "{vertex}; coordinates must be finite and at most 2^100 in magnitude"
    ));
}

#[test]
fn a_transform_that_is_none_names_its_node() {
    let mut asset = triangle();
    for (transform, problem) in [
        (r#""translation":[1,2]"#, "its translation is not 3 numbers"),
        (r#""rotation":[0,0,0,0]"#, "the rotation [0.0, 0.0, 0.0, 0.0] has no length"),
    ] {
        asset.nodes[0] = format!(r#"{{"mesh":0,{transform}}}"#);
        asset.is_refused(&format!("node 0: {problem}"));
    }
}
