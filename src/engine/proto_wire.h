// The wire format of protobuf. In: bytes of a message. Out: its fields.
#pragma once

#include "format/common/proto_wire.h"
