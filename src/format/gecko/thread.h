// Reads one thread of a Gecko profile: names, samples, markers (spec json 11.1).
//
// Input: a thread object of the document. Output: samples and slices of the batch. Called by
// gecko.cc.
#pragma once

#include <vector>

#include "event/sink.h"
#include "format/gecko/facts.h"
#include "format/gecko/ids.h"

namespace tracebraid::gecko {

// `sink` is that of a chunk of its own, whose first clock is the file's.
void read_thread(const JsonFields& thread, const Owner& owner, const ProfileFacts& facts,
                 EventSink& sink);
// `owners` are the threads in the order of the profile.
void read_counter(const JsonFields& counter, const ProfileFacts& facts,
                  const std::vector<Owner>& owners, Ids& ids, EventSink& sink);

}  // namespace tracebraid::gecko
