// ByteBlock: 64 bytes compared at a time, for a search that runs over every byte of every input.
// GCC's and Clang's vector types, so that the same code becomes SSE2, AVX2 or NEON.
#pragma once
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace gpulint {

class ByteBlock {
 public:
  static constexpr std::size_t kSize = 64;

  static ByteBlock load(const char* from) {
    ByteBlock block;
    std::memcpy(block.lanes_, from, kSize);
    return block;
  }
  ByteBlock operator|(const ByteBlock& other) const {
    ByteBlock out;
    for (std::size_t i = 0; i < kLanes; ++i) out.lanes_[i] = lanes_[i] | other.lanes_[i];
    return out;
  }
  ByteBlock operator&(const ByteBlock& other) const {
    ByteBlock out;
    for (std::size_t i = 0; i < kLanes; ++i) out.lanes_[i] = lanes_[i] & other.lanes_[i];
    return out;
  }
  /// All bits of the equal bytes set, the others zero.
  ByteBlock operator==(char byte) const {
    ByteBlock out;
    for (std::size_t i = 0; i < kLanes; ++i) out.lanes_[i] = reinterpret_cast<Lane>(lanes_[i] == static_cast<std::uint8_t>(byte));
    return out;
  }
  bool any() const {
    Lane all = lanes_[0];
    for (std::size_t i = 1; i < kLanes; ++i) all |= lanes_[i];
    std::uint64_t words[2];
    std::memcpy(words, &all, sizeof words);
    return (words[0] | words[1]) != 0;
  }

 private:
  typedef std::uint8_t Lane __attribute__((vector_size(16)));
  static constexpr std::size_t kLanes = kSize / sizeof(Lane);
  Lane lanes_[kLanes] = {};
};

}  // namespace gpulint
