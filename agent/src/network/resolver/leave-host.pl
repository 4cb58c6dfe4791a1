# Starts a program that, once it has loaded its files, is left with one directory of the machine.
#
#   perl leave-host.pl UNSHARE_CALL MOUNT_CALL UMOUNT_CALL PIVOT_CALL DIRECTORY COMMAND...
#
# The command gets two more arguments: a descriptor that it writes a line to when it has loaded all, and one that it reads a line from when
# it has only the directory left, as its root and read-only. It is this process; the work is done by another one in the same mount namespace,
# since pivot_root(2) changes the root of every process there.
#
# No module is loaded, so that names start soon. Where a step fails, the command reads the end of the descriptor.

my ($unshare_call, $mount_call, $umount_call, $pivot_call, $directory, @command) = @ARGV;
my ($CLONE_NEWNS, $MNT_DETACH) = (0x20000, 2);
my ($MS_RDONLY, $MS_NOSUID, $MS_NODEV, $MS_NOEXEC, $MS_REMOUNT, $MS_BIND, $MS_REC, $MS_PRIVATE) = (1, 2, 4, 8, 32, 0x1000, 0x4000, 0x40000);

$^F = 255; # descriptors stay open in the command
call('unshare', $unshare_call + 0, $CLONE_NEWNS);
call('mount /', $mount_call + 0, 'none', '/', 0, $MS_REC | $MS_PRIVATE, 0);
pipe(my $is_loaded, my $loaded) && pipe(my $has_left, my $left) or die "pipe: $!\n";
my $first = fork;
die "fork: $!\n" unless defined $first;
if ($first == 0) {
  # Forked twice, so that the command has no child.
  my $second = fork;
  exit 1 unless defined $second;
  exit 0 if $second;
  close $_ for $loaded, $has_left;
  leave_host() if sysread($is_loaded, my $line, 64);
  exit 0;
}
waitpid($first, 0);
close $_ for $is_loaded, $left;
exec { $command[0] } @command, fileno $loaded, fileno $has_left or die "$command[0]: $!\n";

sub leave_host {
  my $flags = $MS_BIND | $MS_NOSUID | $MS_NODEV | $MS_NOEXEC;
  call("mount $directory", $mount_call + 0, $directory, $directory, 0, $flags, 0);
  call("remount $directory", $mount_call + 0, 'none', $directory, 0, $flags | $MS_REMOUNT | $MS_RDONLY, 0);
  chdir $directory or die "$directory: $!\n";
  # The old root comes to lie on the new one, where it is taken away: no directory for it is needed.
  call('pivot_root', $pivot_call + 0, '.', '.');
  call('umount', $umount_call + 0, '.', $MNT_DETACH);
  syswrite($left, "left\n");
}

sub call {
  my ($name, $number, @arguments) = @_;
  syscall($number, @arguments) == 0 or die "$name: $!\n";
}
