# Parent of one container for as long as it runs, and the writer of its log; needs no agent once it is forked.
#
#   perl supervise.pl LOG_WRITER
#
# For each line of the input, a run directory (see container-files.ts), a supervisor is forked; they share most of their memory, and no
# start waits for Perl. The end of the input (the agent's) ends only the first process. Words from the agent are in the run directory's
# file `words`, each after the name of its list. What happens is told by the files `started` and `exit`.
#
# No module is loaded (see log-writer.pl). System calls with a number here have the same one on all machines.

my ($OPEN_TREE, $MOVE_MOUNT, $PIDFD_OPEN, $MOUNT_SETATTR) = (428, 429, 434, 442);
my ($CLONE_NEWNS, $CLONE_NEWUSER, $CLONE_NEWNET) = (0x20000, 0x10000000, 0x40000000);
my ($MS_RDONLY, $MS_NOSUID, $MS_NODEV, $MS_NOEXEC, $MS_REMOUNT) = (1, 2, 4, 8, 0x20);
my ($MS_BIND, $MS_REC, $MS_PRIVATE, $MS_SLAVE) = (0x1000, 0x4000, 0x40000, 0x80000);
my ($ATTR_RDONLY, $ATTR_NOSUID, $ATTR_NODEV, $ATTR_IDMAP) = (1, 2, 4, 0x100000);
my ($AT_FDCWD, $AT_EMPTY_PATH, $OPEN_TREE_CLONE, $MOVE_FROM_EMPTY_PATH) = (-100, 0x1000, 1, 4);
# What the kernel counts for the host's root, who makes all containers: without a share of its own, one of them could use it up.
my %own_limits = (
  max_inotify_instances => 128, max_inotify_watches => 65_536,
  map { ("max_${_}_namespaces" => 0) } qw(user mnt pid ipc uts net cgroup time));
# Terminals that a container can have open; the kernel counts all of the host's together, besides.
my $max_terminals = 256;
my ($MNT_DETACH, $EINVAL) = (2, 22);
my ($O_RDONLY, $O_RDWR, $O_CREAT, $O_NONBLOCK) = (0, 2, 0x40, 0x800);

my ($log_writer) = @ARGV;
defined do $log_writer or die $@ || "$log_writer: $!\n";

# A shutdown of the host sends SIGTERM to every process; supervisors stay to write the exit file. (Ignoring it would be inherited.)
$SIG{$_} = sub { } for qw(TERM HUP INT);
$SIG{CHLD} = 'IGNORE';
my (%lists, %user_namespaces, $container, $mount_call, $unshare_call, $setns_call, $umount_call, $stdout, $stderr, $go, $code, $is_started);
our (@inputs, @watched);
while (defined(my $directory = <STDIN>)) {
  chomp $directory;
  my $supervisor = fork;
  next unless defined $supervisor && $supervisor == 0;
  chdir $directory or exit 1;
  supervise();
  exit 0;
}

sub supervise {
  $SIG{CHLD} = 'DEFAULT';
  setpgrp(0, 0);
  open(STDIN, '<', '/dev/null') or die "/dev/null: $!\n";
  open(STDERR, '>>', 'launch.log') or die "launch.log: $!\n";
  open(STDOUT, '>&', \*STDERR) or die "launch.log: $!\n";
  open(my $words, '<', 'words') or die "words: $!\n";
  /^(\w+) (.*)$/ && push @{$lists{$1}}, $2 while <$words>;
  ($mount_call, $unshare_call, $setns_call, $umount_call) = map { $_ + 0 } @{$lists{SYSTEM_CALLS}};
  ($stdout, $stderr) = map { fifo($_, $O_RDONLY) } qw(stdout stderr);
  ($go, $code) = map { fifo($_, $O_RDWR) } qw(go code);
  $container = fork;
  die "fork: $!\n" unless defined $container;
  if ($container == 0) {
    eval { run_container() };
    print STDERR $@;
    kill 'KILL', $$;
  }

  my $ended = syscall($PIDFD_OPEN, $container, 0);
  die "pidfd_open: $!\n" if $ended < 0;
  open(my $container_end, '<&=', $ended) or die "descriptor $ended: $!\n";
  # It goes on until the container's last line is written.
  @inputs = ($stdout, $stderr);
  @watched = ({ in => $code, read => \&let_program_start }, { in => $container_end, read => \&tell_end });
  return if eval { join_cgroups(@{$lists{SHIM_CGROUPS}}); write_log(@{$lists{WRITER}}); 1 };
  print STDERR $@;
  kill 'KILL', $container;
  tell_end();
}

# In the child: becomes the container.
sub run_container {
  $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT);
  umask 022; # the program's; the agent's own closes its files to others
  join_cgroups(@{$lists{RUN_CGROUPS}});
  enter_own_mounts();
  leave_other_disks(@{$lists{DISKS}});
  my @mounts = @{$lists{MOUNTS}};
  while (my ($type, $source, $target, $options) = splice @mounts, 0, 4) {
    if ($type eq 'idmap') {
      bind_shifted($source, $target, $options);
    } else {
      call("mount $target", $mount_call, $source, $target, $type, $MS_NOSUID | $MS_NODEV, $options);
    }
  }
  my ($network_namespace) = @{$lists{NETWORK_NAMESPACE}};
  open(my $namespace, '<', $network_namespace) or die "$network_namespace: $!\n";
  call('setns', $setns_call, fileno $namespace, $CLONE_NEWNET);
  # Everything in the container is killed before anything of the host when the host itself is out of memory.
  write_file('/proc/self/oom_score_adj', 500) or die "oom_score_adj: $!\n";
  my @nspawn = @{$lists{NSPAWN}};
  exec { $nspawn[0] } @nspawn or die "$nspawn[0]: $!\n";
}

# All mounts of the container vanish with its last process. Never is one of them among those of the host.
sub enter_own_mounts {
  my $host_mounts = readlink '/proc/self/ns/mnt';
  call('unshare', $unshare_call, $CLONE_NEWNS);
  die "still among the mounts of the host\n" if readlink('/proc/self/ns/mnt') eq $host_mounts;
  call('mount', $mount_call, 'none', '/', 0, $MS_REC | $MS_SLAVE, 0);
}

# Where disks are mounted, it keeps only its project's own: it must hold no other one, nor be told of those that come and go.
sub leave_other_disks {
  my ($all, $own) = @_;
  my $tree = clone_mount($own);
  open(my $closing, '<&=', $tree);
  if (syscall($umount_call, $all, $MNT_DETACH) == 0) {
    attach_mount($tree, $own);
  } elsif ($! != $EINVAL) {
    die "umount $all: $!\n";
  }
}

# The container's first process waits at the far end of `go` until the limits of its own cgroup are written.
sub let_program_start {
  return 1 unless sysread($code, my $ready, 6);
  my $first_process = first_process();
  # In this order: to clone a mount takes a mount namespace of the container's, which has none with its own limits.
  in_child(sub { restrict_mounts($first_process) }) or die "the container's mounts could not be restricted\n";
  set_own_limits($first_process);
  for (@{$lists{PAYLOAD_LIMITS}}) {
    my ($value, $file) = split / /, $_, 2;
    write_file($file, $value) or print STDERR "$file: $!\n";
  }
  write_file('started', '') or die "started: $!\n";
  $is_started = 1;
  syswrite($go, "go\n");
  return 0;
}

sub first_process {
  my ($group) = $lists{KILL_FILE}[0] =~ m{^(.*)/};
  open(my $pids, '<', "$group/payload/cgroup.procs") or die "the container's group: $!\n";
  my $first = <$pids>;
  return $first + 0 || die "the container has no process\n";
}

# In the container's user namespace, whose limits hold besides those of the host; it starts without them where the kernel has none.
sub set_own_limits {
  my ($first_process) = @_;
  in_child(sub {
    enter_namespace("/proc/$first_process/ns/user", $CLONE_NEWUSER);
    for (sort keys %own_limits) { write_file("/proc/sys/user/$_", $own_limits{$_}) or print STDERR "$_: $!\n" }
  });
}

# Among the container's mounts, with the host's rights, before the program runs.
sub restrict_mounts {
  my ($first_process) = @_;
  open(my $mounts, '<', "/proc/$first_process/mounts") or die "mounts of the container: $!\n";
  my ($terminals) = map { m{^\S+ /dev/pts devpts (\S+)} } <$mounts>;
  enter_namespace("/proc/$first_process/ns/mnt", $CLONE_NEWNS);
  umask 0;
  limit_terminals($terminals);
  hide_kernel_files();
}

# A remount forgets the options that it does not name.
sub limit_terminals {
  my @kept = grep { /^(gid|mode|ptmxmode)=/ } split /,/, $_[0];
  my $options = join ',', @kept, "max=$max_terminals";
  call('remount /dev/pts', $mount_call, 'devpts', '/dev/pts', 'devpts', $MS_REMOUNT | $MS_NOSUID | $MS_NOEXEC, $options);
}

# Leaves of /proc and /sys only the paths that are listed (visible-kernel-files.ts). What /proc has besides, on a newer kernel too, is
# covered by an empty file or directory; /sys is made anew of the listed paths and of directories that are empty.
sub hide_kernel_files {
  my @visible = @{$lists{VISIBLE}};
  my $restricted = $MS_NOSUID | $MS_NODEV | $MS_NOEXEC;
  # Nspawn's own binds below /proc would receive a copy of each cover.
  call("detach $_", $mount_call, 'none', $_, 0, $MS_REC | $MS_PRIVATE, 0) for qw(/proc /sys);
  my $mount_sys = sub { call('mount /sys', $mount_call, 'tijolo', '/sys', 'tmpfs', $restricted, 'mode=755,size=64k') };
  my $freeze_sys = sub { call('remount /sys', $mount_call, 'tijolo', '/sys', 'tmpfs', $MS_REMOUNT | $MS_RDONLY | $restricted, 0) };

  my @shown = map { [$_, -d $_, clone_mount($_)] } grep { m{^/sys/} && -e $_ } @visible;
  $mount_sys->();
  make_file('/sys/file');
  make_directory('/sys/directory');
  $freeze_sys->();
  cover_unlisted('/proc', { map { $_ => 1 } @visible });
  call('umount /sys', $umount_call, '/sys', $MNT_DETACH);

  $mount_sys->();
  for (@shown) {
    my ($path, $is_directory, $tree) = @$_;
    make_directories_above($path);
    $is_directory ? make_directory($path) : make_file($path);
    attach_mount($tree, $path);
  }
  for (@{$lists{EMPTY}}) {
    make_directories_above($_);
    make_directory($_);
  }
  $freeze_sys->();
}

# Processes have directories of their own, a link shows no more than where it leads to, and what lies on another device than /proc
# itself is a cover of nspawn's.
sub cover_unlisted {
  my ($directory, $visible) = @_;
  my $device = (stat $directory)[0];
  opendir(my $entries, $directory) or die "$directory: $!\n";
  for (map { "$directory/$_" } grep { !/^(\.\.?|\d+)$/ } readdir $entries) {
    my $path = $_;
    next if $visible->{$path} || (lstat $path)[0] != $device || -l _;
    if (grep { index($_, "$path/") == 0 } keys %$visible) {
      cover_unlisted($path, $visible);
    } else {
      call("cover $path", $mount_call, -d _ ? '/sys/directory' : '/sys/file', $path, 0, $MS_BIND, 0);
    }
  }
}

# Those between /sys and the path.
sub make_directories_above {
  my @names = split m{/}, $_[0];
  make_directory(join '/', @names[0 .. $_]) for 2 .. $#names - 1;
}

sub make_directory {
  my ($path) = @_;
  -d $path || mkdir $path, 0755 or die "$path: $!\n";
}

sub make_file {
  my ($path) = @_;
  sysopen(my $file, $path, $O_CREAT, 0444) or die "$path: $!\n";
}

# Runs in a process of its own, whose namespaces may change, and is true when it did not die.
sub in_child {
  my ($work) = @_;
  my $child = fork;
  die "fork: $!\n" unless defined $child;
  if ($child == 0) {
    my $is_done = eval { $work->(); 1 };
    print STDERR $@ unless $is_done;
    exit($is_done ? 0 : 1);
  }
  waitpid($child, 0);
  return $? == 0;
}

sub enter_namespace {
  my ($path, $type) = @_;
  open(my $namespace, '<', $path) or die "$path: $!\n";
  call("setns $path", $setns_call, fileno $namespace, $type);
}

sub tell_end {
  my $ended_pid;
  do { $ended_pid = waitpid($container, 0) } until $ended_pid == $container || $ended_pid < 0;
  my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
  # The container outlives a killed nspawn.
  write_file($lists{KILL_FILE}[0], 1);
  # nspawn turns 133 into 1, so the first process tells it by another way.
  my $told;
  $status = 133 if $is_started && $status == 1 && sysread($code, $told, 4) && $told eq "133\n";
  write_file('exit', "$status\n");
  exit 0 unless $is_started; # nothing has written to the log
  return 0;
}

# Ids of what is below `source` appear shifted below `target`; `ids` are the first there, the first here and how many (user_namespaces(7)).
sub bind_shifted {
  my ($source, $target, $ids) = @_;
  my $namespace = $user_namespaces{$ids} ||= user_namespace($ids);
  my $tree = clone_mount($source);
  my $attributes = pack('Q4', $ATTR_RDONLY | $ATTR_NOSUID | $ATTR_NODEV | $ATTR_IDMAP, 0, 0, fileno $namespace);
  call("mount_setattr $source", $MOUNT_SETATTR, $tree, '', $AT_EMPTY_PATH, $attributes, length $attributes);
  attach_mount($tree, $target);
  open(my $closing, '<&=', $tree);
}

# Returns a descriptor of a mount that is nowhere yet, and shows what is at `path`.
sub clone_mount {
  my ($path) = @_;
  return call("open_tree $path", $OPEN_TREE, $AT_FDCWD, $path, $OPEN_TREE_CLONE);
}

sub attach_mount {
  my ($tree, $path) = @_;
  call("move_mount $path", $MOVE_MOUNT, $tree, '', $AT_FDCWD, $path, $MOVE_FROM_EMPTY_PATH);
}

# A user namespace says how ids are shifted. It belongs to a process that lives for as long as it takes to open it.
sub user_namespace {
  my ($ids) = @_;
  pipe(my $is_made, my $made) && pipe(my $is_opened, my $opened) or die "pipe: $!\n";
  my $holder = fork;
  die "fork: $!\n" unless defined $holder;
  if ($holder == 0) {
    close $opened;
    call('unshare', $unshare_call, $CLONE_NEWUSER);
    close $made;
    sysread($is_opened, my $end, 1);
    kill 'KILL', $$;
  }
  close $made;
  sysread($is_made, my $end, 1);
  write_file("/proc/$holder/$_", $ids) or die "$_: $!\n" for qw(uid_map gid_map);
  open(my $namespace, '<', "/proc/$holder/ns/user") or die "user namespace: $!\n";
  close $opened;
  waitpid($holder, 0);
  return $namespace;
}

sub join_cgroups {
  write_file($_, 0) or die "$_: $!\n" for @_;
}

# No open waits for the other end, which may never come.
sub fifo {
  my ($name, $access) = @_;
  sysopen(my $fifo, "inside/$name", $access | $O_NONBLOCK) or die "$name: $!\n";
  return $fifo;
}

sub write_file {
  my ($path, $text) = @_;
  open(my $file, '>', $path) or return 0;
  return defined syswrite($file, $text);
}

sub call {
  my ($name, $number, @arguments) = @_;
  my $result = syscall($number, @arguments);
  die "$name: $!\n" if $result < 0;
  return $result;
}
