# Starts nginx with a root of its own: an empty file system in memory, into which sites are mounted later (change-sites.pl).
#
#   perl serve-apart.pl UNSHARE_CALL MOUNT_CALL UMOUNT_CALL PIVOT_CALL DIRECTORY TREE USER RECORD JOIN-FILES COMMAND...
#
# The configuration lies in DIRECTORY. TREE is the directory of packages that COMMAND is of, "" for the host's own. JOIN-FILES, with
# ":" between them, are those of the control group. COMMAND is this process, and starts in the new root while the host's files are still
# there; once it listens and has its workers, another process writes the record of it to DIRECTORY and takes the host's files away:
# pivot_root(2) changes the root of every process in the mount namespace. A worker that was being forked meanwhile would keep the old one.

my ($unshare_call, $mount_call, $umount_call, $pivot_call, $directory, $tree, $user, $record, $join_files, @command) = @ARGV;
my ($CLONE_NEWNS, $MNT_DETACH) = (0x20000, 2);
my ($MS_RDONLY, $MS_NOSUID, $MS_NODEV, $MS_NOEXEC, $MS_REMOUNT, $MS_BIND, $MS_REC, $MS_PRIVATE) = (1, 2, 4, 8, 32, 0x1000, 0x4000, 0x40000);
my $patience_s = 20;

for my $file (split /:/, $join_files) {
  write_file($file, '0');
}
my $configuration = do { local $/; open my $file, '<', "$directory/nginx.conf" or die "nginx.conf: $!\n"; <$file> };
open STDERR, '>', "$directory/nginx.log" or die "nginx.log: $!\n";
call('unshare', $unshare_call + 0, $CLONE_NEWNS);
call('mount /', $mount_call + 0, 'none', '/', 0, $MS_REC | $MS_PRIVATE, 0);
my $root = "$directory/root";
mkdir $root, 0700;
umask 022;
call('mount the root', $mount_call + 0, 'none', $root, 'tmpfs', $MS_NOSUID | $MS_NODEV | $MS_NOEXEC, 'mode=755,size=16m,nr_inodes=262144');
chdir $root or die "$root: $!\n";
for my $name ('sites', 'trees', 'none', 'tree') {
  mkdir $name, 0755 or die "$name: $!\n";
}
write_file('nginx.conf', $configuration);
write_file('nginx.pid', '');
chown $user, $user, 'nginx.pid' or die "nginx.pid: $!\n";
call('mount the packages', $mount_call + 0, $tree, 'tree', 0, $MS_BIND, 0) if $tree ne '';

my $nginx = $$;
my $first = fork;
die "fork: $!\n" unless defined $first;
if ($first == 0) {
  # Forked twice, so that nginx has no child that it does not know.
  my $second = fork;
  exit 1 unless defined $second;
  exit 0 if $second;
  exit 0 unless listens();
  my $ticks = start_ticks($nginx);
  exit 0 unless defined $ticks;
  $record =~ s/PID/$nginx/;
  $record =~ s/TICKS/$ticks/;
  write_file("$directory/process.json.new", $record);
  rename "$directory/process.json.new", "$directory/process.json" or die "process.json: $!\n";
  leave_host();
  exit 0;
}
waitpid($first, 0);
exec { $command[0] } @command or die "$command[0]: $!\n";

# nginx writes its pid once it has read its configuration and listens, and forks its workers then.
sub listens {
  my ($workers) = $configuration =~ /^worker_processes (\d+);$/m;
  for (1 .. $patience_s * 100) {
    return 1 if -s 'nginx.pid' && children($nginx) >= $workers;
    return 0 unless defined start_ticks($nginx);
    select undef, undef, undef, 0.01;
  }
  kill 'KILL', $nginx;
  return 0;
}

sub leave_host {
  # The old root comes to lie on the new one, where it is taken away: no directory for it is needed.
  call('pivot_root', $pivot_call + 0, '.', '.');
  call('umount', $umount_call + 0, '.', $MNT_DETACH);
  chdir '/';
  if ($tree ne '') {
    call('umount the packages', $umount_call + 0, '/tree', $MNT_DETACH);
  }
  write_file('/left', '');
}

sub children {
  my ($parent) = @_;
  my $count = 0;
  for my $path (glob '/proc/[0-9]*/stat') {
    open my $file, '<', $path or next;
    my $line = <$file> // next;
    $count += 1 if $line =~ /^.*\) (\S) (\d+) /s && $1 ne 'Z' && $2 == $parent;
  }
  return $count;
}

sub start_ticks {
  open my $file, '<', "/proc/$_[0]/stat" or return undef;
  my $line = <$file>;
  $line =~ s/^.*\) //s;
  my @fields = split / /, $line;
  return $fields[0] eq 'Z' ? undef : $fields[19];
}

sub write_file {
  my ($path, $text) = @_;
  open my $file, '>', $path or die "$path: $!\n";
  print $file $text;
  close $file or die "$path: $!\n";
}

sub call {
  my ($name, $number, @arguments) = @_;
  syscall($number, @arguments) == 0 or die "$name: $!\n";
}
