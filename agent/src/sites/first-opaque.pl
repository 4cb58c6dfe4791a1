# Prints the place (0, 1, …) of the first DIRECTORY that hides what lies below it in an overlay; -1 when none does.
#
#   perl first-opaque.pl NUMBER-OF-LGETXATTR DIRECTORY …

use strict;
use warnings;

my ($lgetxattr, @directories) = @ARGV;
my $attribute = 'trusted.overlay.opaque'; # no literal: a system call's arguments have to be changeable
for my $place (0 .. $#directories) {
  my $value = "\0" x 8;
  my $length = syscall($lgetxattr + 0, $directories[$place], $attribute, $value, length $value);
  if ($length == 1 && substr($value, 0, 1) eq 'y') {
    print "$place\n";
    exit 0;
  }
}
print "-1\n";
