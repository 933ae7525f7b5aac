#include "assemble/samples/package_path.h"

#include <gtest/gtest.h>

namespace tracebraid {
namespace {

TEST(PackagePath, AppsHaveTheirPackageInThePath) {
  EXPECT_EQ(package_of_path("/data/app/org.a-1/base.apk").package, "org.a");
  EXPECT_EQ(package_of_path("/data/app/~~x9==/org.b-Zz==/base.apk").package, "org.b");
  EXPECT_EQ(package_of_path("[anon:dalvik-dex extracted in memory from /data/app/org.c-1/base.apk]")
                .package,
            "org.c");
}

TEST(PackagePath, ApplicationsOfTheSystemAreListed) {
  EXPECT_EQ(package_of_path("/product/app/Maps/Maps.apk!lib.so").package,
            "com.google.android.apps.maps");
  EXPECT_EQ(package_of_path("/apex/x/PrebuiltGmsCore.apk").package, "com.google.android.gms");
}

TEST(PackagePath, MalformedPathsOfApps) {
  for (const char* path : {"/data/app/", "/data/app/org.a/base.apk", "/data/app/~~x",
                           "/data/app/org.a-1", "/data/app/-1/base.apk"}) {
    EXPECT_EQ(package_of_path(path).package, "") << path;
    EXPECT_TRUE(package_of_path(path).is_malformed) << path;
  }
}

TEST(PackagePath, OtherFilesHaveNoPackage) {
  EXPECT_EQ(package_of_path("/system/lib64/libc.so").package, "");
  EXPECT_FALSE(package_of_path("/system/lib64/libc.so").is_malformed);
}

}  // namespace
}  // namespace tracebraid
