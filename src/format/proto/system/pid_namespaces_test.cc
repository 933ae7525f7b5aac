#include "format/proto/system/pid_namespaces.h"

#include <gtest/gtest.h>

namespace tracebraid::proto {
namespace {

TEST(PidNamespaces, IdsAreThoseOfTheInnermostNamespace) {
  PidNamespaces namespaces;
  namespaces.add_process(1001, {50, 1});
  EXPECT_TRUE(namespaces.add_thread(1001, 1002, {52, 2}));
  EXPECT_TRUE(namespaces.add_thread(1001, 1003, {53}));  // unknown in the process's namespace
  EXPECT_EQ(namespaces.resolve(1001, 1), 1001);
  EXPECT_EQ(namespaces.resolve(1001, 2), 1002);
  EXPECT_EQ(namespaces.resolve(1001, 52), 52);
  EXPECT_EQ(namespaces.resolve(1001, 53), 53);
  EXPECT_EQ(namespaces.resolve(7, 2), 2);
}

TEST(PidNamespaces, ThreadOfAnUnknownProcessIsNotTaken) {
  PidNamespaces namespaces;
  EXPECT_FALSE(namespaces.add_thread(1001, 1002, {2}));
  EXPECT_FALSE(namespaces.contains(1001));
}

TEST(PidNamespaces, TheNewerThreadHasTheId) {
  PidNamespaces namespaces;
  namespaces.add_process(1001, {1});
  namespaces.add_thread(1001, 1002, {2});
  namespaces.add_thread(1001, 1009, {2});
  EXPECT_EQ(namespaces.resolve(1001, 2), 1009);
}

TEST(PidNamespaces, OnlyWhatIsNewAndWasAskedForIsLate) {
  PidNamespaces namespaces;
  namespaces.add_process(1001, {1});
  namespaces.add_thread(1001, 1002, {2});
  namespaces.note_asked(1001);
  namespaces.add_process(1001, {1});
  namespaces.add_thread(1001, 1002, {2});
  namespaces.add_process(2001, {1});
  EXPECT_FALSE(namespaces.has_late());
  namespaces.add_thread(1001, 1003, {3});
  EXPECT_TRUE(namespaces.has_late());
}

}  // namespace
}  // namespace tracebraid::proto
