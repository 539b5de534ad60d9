// Bits 0-8 of an instruction are the operation, bits 9-11 the form of its operands. The numbers are
// the same from sm_75 to sm_120. They were found by comparing nvdisasm's text with the words of
// compiled kernels.
#include "bench/opcodes.hpp"

namespace ballotcast::detail {

namespace {

/// Three bits of a BAR instruction tell which kind it is.
OpClass class_of_bar(u64 high) {
  switch (high >> 13 & 7) {
    case 1:
      return OpClass::bar_arrive;
    case 2:
      return OpClass::bar_red;
    default:
      return OpClass::bar_sync;
  }
}

}  // namespace

OpClass class_of(u64 low, u64 high) {
  switch (low & 0x1ff) {
    case 0x006:
      return OpClass::vote;
    case 0x086:
      return OpClass::voteu;
    case 0x0bf:
      return OpClass::upopc;
    case 0x0cc:
      return OpClass::redux;  // CREDUX, from sm_100 on
    case 0x109:
      return OpClass::popc;
    case 0x11d:
      return class_of_bar(high);
    case 0x148:
      return OpClass::warpsync;
    case 0x17e:
      return OpClass::ldg;  // with an address in a uniform register, from sm_100 on
    case 0x181:
      return OpClass::ldg;
    case 0x184:
      return OpClass::lds;
    case 0x186:
      return OpClass::stg;
    case 0x188:
      return OpClass::sts;
    case 0x189:
      return OpClass::shfl;
    case 0x18a:
      return OpClass::atom;
    case 0x18b:
      return OpClass::atom;  // compare and swap
    case 0x18c:
      return OpClass::atoms;
    case 0x18d:
      return OpClass::atoms;  // compare and swap
    case 0x18e:
      return OpClass::red;
    case 0x1a1:
      return OpClass::match;
    case 0x1a2:
      return OpClass::atom;  // of floats, generic address
    case 0x1a3:
      return OpClass::atom;  // of floats
    case 0x1a6:
      return OpClass::red;  // of floats
    case 0x1a8:
      return OpClass::atom;
    case 0x1a9:
      return OpClass::atom;  // compare and swap
    case 0x1c4:
      return OpClass::redux;
    default:
      return OpClass::other;
  }
}

std::string_view name_of(OpClass op) {
  static constexpr std::string_view kNames[kOpClasses] = {
      "RED",   "ATOM",     "ATOMS",   "VOTE",    "VOTEU",    "REDUX", "POPC",
      "UPOPC", "BAR.SYNC", "BAR.RED", "BAR.ARV", "WARPSYNC", "SHFL",  "MATCH",
      "LDS",   "STS",      "LDG",     "STG",     "other"};
  return kNames[static_cast<std::size_t>(op)];
}

}  // namespace ballotcast::detail
