// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// Load an SDFormat file with libsdformat so many times; print the version and the milliseconds of
// CPU time that each load took, as JSON. Ends with 1 where the file has errors.
#include <sdf/sdf.hh>

#include <cstdlib>
#include <ctime>
#include <iostream>

int main(int argc, char **argv)
{
  if (argc != 3)
  {
    std::cerr << "usage: sdf_load FILE COUNT\n";
    return 2;
  }
  const int count = std::atoi(argv[2]);
  std::cout << "{\"version\": \"" << SDF_VERSION_FULL << "\", \"cpu_ms\": [";
  for (int index = 0; index < count; ++index)
  {
    const std::clock_t start = std::clock();
    {
      sdf::Root root;
      if (!root.Load(argv[1]).empty())
        return 1;
    }
    const double elapsed = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    std::cout << (index ? ", " : "") << 1e3 * elapsed;
  }
  std::cout << "]}\n";
  return 0;
}
