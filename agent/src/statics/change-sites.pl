# Changes which sites an nginx serves, by mounts and links in its mount namespace alone: nothing of it is on the host.
#
#   perl change-sites.pl PID SETNS_CALL UMOUNT_CALL
#
# The input holds the changes, each of five fields that end in a NUL: `serve`, PROJECT, TREE, FILES, COMPRESSED; `hide`, PROJECT; or `free`, "",
# TREE. Fields that a change does not need are empty. A mount shows one directory of the host, read-only, and follows no link in it.

use strict;
use warnings;

my ($pid, $setns_call, $umount_call) = @ARGV;
my ($CLONE_NEWNS, $MNT_DETACH) = (0x20000, 2);
# Their numbers are the same on all machines.
my ($open_tree_call, $move_mount_call, $mount_setattr_call) = (428, 429, 442);
my ($AT_FDCWD, $AT_EMPTY_PATH, $AT_SYMLINK_NOFOLLOW) = (-100, 0x1000, 0x100);
my ($OPEN_TREE_CLONE, $OPEN_TREE_CLOEXEC, $MOVE_MOUNT_F_EMPTY_PATH) = (1, 0x80000, 4);
my ($RDONLY, $NOSUID, $NODEV, $NOEXEC, $NOSYMFOLLOW) = (1, 2, 4, 8, 0x200000);

my @fields = do { local $/; split /\0/, <STDIN> // '', -1 };
my @changes;
while (@fields >= 5) {
  push @changes, [splice @fields, 0, 5];
}
my %mounts;
for (@changes) {
  my ($what, undef, $tree, $files, $compressed) = @$_;
  next if $what ne 'serve';
  $mounts{"/trees/$tree/files"} = detached($files);
  $mounts{"/trees/$tree/compressed"} = detached($compressed) if $compressed ne '';
}
open my $namespace, '<', "/proc/$pid/ns/mnt" or die "namespace: $!\n";
syscall($setns_call + 0, fileno $namespace, $CLONE_NEWNS) == 0 or die "setns: $!\n";
umask 022;
for (@changes) {
  my ($what, $project, $tree) = @$_;
  serve($project, $tree) if $what eq 'serve';
  unlink "/sites/$project" if $what eq 'hide';
  free($tree) if $what eq 'free';
}

sub detached {
  my ($path) = @_;
  my $mount = syscall($open_tree_call, $AT_FDCWD, $path, $OPEN_TREE_CLONE | $OPEN_TREE_CLOEXEC | $AT_SYMLINK_NOFOLLOW);
  die "open_tree $path: $!\n" if $mount < 0;
  my $attributes = pack 'Q4', $RDONLY | $NOSUID | $NODEV | $NOEXEC | $NOSYMFOLLOW, 0, 0, 0;
  my $nothing = '';
  syscall($mount_setattr_call, $mount, $nothing, $AT_EMPTY_PATH, $attributes, length $attributes) == 0 or die "mount_setattr: $!\n";
  return $mount;
}

sub serve {
  my ($project, $tree) = @_;
  mkdir "/trees/$tree" or die "$tree: $!\n";
  for my $name ('files', 'compressed') {
    my $place = "/trees/$tree/$name";
    mkdir $place or die "$place: $!\n";
    next unless exists $mounts{$place};
    my $nothing = '';
    syscall($move_mount_call, $mounts{$place}, $nothing, $AT_FDCWD, $place, $MOVE_MOUNT_F_EMPTY_PATH) == 0 or die "move_mount: $!\n";
  }
  unlink "/sites/.$project";
  symlink "/trees/$tree", "/sites/.$project" or die "link: $!\n";
  rename "/sites/.$project", "/sites/$project" or die "link: $!\n";
}

sub free {
  my ($tree) = @_;
  for my $name ('files', 'compressed') {
    my $place = "/trees/$tree/$name";
    syscall($umount_call + 0, $place, $MNT_DETACH);
    rmdir $place;
  }
  rmdir "/trees/$tree";
}
