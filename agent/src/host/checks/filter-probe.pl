# Tries, under the filter of containers, what would make a user namespace or mount something; says for each how it ended.
#
#   perl filter-probe.pl NAME:NUMBER …
#
# No call can do harm: each has arguments that the kernel refuses, or changes only this process and a child that ends at once.

my $CLONE_NEWUSER = 0x10000000;
my %arguments = (
  unshare => [$CLONE_NEWUSER],
  clone => [$CLONE_NEWUSER | 17, 0, 0, 0, 0],
  clone3 => [pack('Q11', $CLONE_NEWUSER, 0, 0, 0, 17, 0, 0, 0, 0, 0, 0), 88],
  mount => [0, 0, 0, 0, 0],
  setns => [-1, 0],
  bpf => [-1, 0, 0],
);
my $parent = $$;
for (@ARGV) {
  my ($name, $number) = split /:/;
  $! = 0;
  my $result = syscall($number + 0, @{$arguments{$name}});
  kill 'KILL', $$ if $$ != $parent;
  print "$name ", $result < 0 ? $! + 0 : 'done', "\n";
}
