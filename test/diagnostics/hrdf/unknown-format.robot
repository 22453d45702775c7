<mechanism>
  <!-- expect: error unknown-format 1:1 -->
</mechanism>
