// Casts the rays of a file and writes the hits to another, for `equal_bits.rs`: PRECISION ASKED ANSWERED.

#include "check.hpp"

#include <fstream>

using namespace lanecast;

template <class V>
std::vector<V> read(std::ifstream& file, std::uint64_t count) {
  std::vector<V> values(count);
  file.read(reinterpret_cast<char*>(values.data()), std::streamsize(count * sizeof(V)));
  return values;
}

template <class V>
void write(std::ofstream& file, const std::vector<V>& column) {
  file.write(reinterpret_cast<const char*>(column.data()), std::streamsize(column.size() * sizeof(V)));
}

template <class T>
void answer(std::ifstream asked, std::ofstream answered) {
  const auto counts = read<std::uint64_t>(asked, 3);
  const auto vertices = read<Vector<T>>(asked, counts[0]);
  const auto triangles = read<Triangle>(asked, counts[1]);
  const auto origins = read<Vector<T>>(asked, counts[2]), directions = read<Vector<T>>(asked, counts[2]);
  const Scene<T> scene = value(Scene<T>::of_triangles(vertices, triangles));

  Hits<T> hits;
  hits.with_normals = true;
  done([&] { return scene.closest_into(Rays<T>(origins, directions), hits); });
  write(answered, hits.status);
  write(answered, hits.t);
  write(answered, hits.primitive_id);
  write(answered, hits.geometry_id);
  write(answered, hits.instance_id);
  write(answered, hits.u);
  write(answered, hits.v);
  write(answered, hits.normal);
}

int main(int, char** arguments) {
  std::ifstream asked(arguments[2], std::ios::binary);
  std::ofstream answered(arguments[3], std::ios::binary);
  asked.exceptions(std::ios::failbit | std::ios::badbit);
  answered.exceptions(std::ios::failbit | std::ios::badbit);
  if (std::string(arguments[1]) == "f32") {
    answer<float>(std::move(asked), std::move(answered));
  } else {
    answer<double>(std::move(asked), std::move(answered));
  }
}
