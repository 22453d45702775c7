// Copyright 2026 the hrdf_ros authors
// SPDX-License-Identifier: Apache-2.0
//
// As much JSON as the reference programs print.

#pragma once

#include <charconv>
#include <cmath>
#include <cstdio>
#include <string>
#include <utility>
#include <vector>

using Fields = std::vector<std::pair<std::string, std::string>>;

inline std::string text(const std::string & value)
{
  std::string result = "\"";
  for (const unsigned char c : value) {
    if (c == '"' || c == '\\') {
      result += '\\';
    }
    if (c < 0x20) {
      char code[8];
      std::snprintf(code, sizeof code, "\\u%04x", c);
      result += code;
    } else {
      result += static_cast<char>(c);
    }
  }
  return result + '"';
}

inline std::string number(double value)
{
  if (!std::isfinite(value)) {
    return text(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf");
  }
  char digits[32];
  const auto end = std::to_chars(digits, digits + sizeof digits, value).ptr;
  return std::string(digits, end);
}

inline std::string list(const std::vector<std::string> & items)
{
  std::string result = "[";
  for (const auto & item : items) {
    result += (result.size() > 1 ? ", " : "") + item;
  }
  return result + "]";
}

inline std::string numbers(const std::vector<double> & values)
{
  std::vector<std::string> items;
  for (const double value : values) {
    items.push_back(number(value));
  }
  return list(items);
}

inline std::string object(const Fields & fields)
{
  std::string result = "{";
  for (const auto & [name, value] : fields) {
    result += (result.size() > 1 ? ", " : "") + text(name) + ": " + value;
  }
  return result + "}";
}
