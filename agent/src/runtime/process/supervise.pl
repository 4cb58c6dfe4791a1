# Parent of one project's command for as long as it runs, and the writer of its log; needs no agent, no root and no kernel of a certain name.
#
#   perl supervise.pl RUN_DIRECTORY APP_DIRECTORY PRCTL_CALL LOG_WRITER WRITER_ARGUMENT...
#
# The run directory holds `command` and `environment` (NAME=value, each ended by a NUL; removed once read). What happens is told by the
# files `started` (a line each for this process and for the command: pid and start, see process-table.ts) and `exit`.

use POSIX ();

my ($WNOHANG, $SET_CHILD_SUBREAPER) = (1, 36);
my $stragglers_seconds = 2;

my ($run, $app, $prctl_call, $log_writer, @writer_arguments) = @ARGV;
chdir $run or die "$run: $!\n";
open(STDIN, '<', '/dev/null') or die "/dev/null: $!\n";
open(STDERR, '>>', 'launch.log') or die "launch.log: $!\n";
open(STDOUT, '>&', \*STDERR) or die "launch.log: $!\n";
defined do $log_writer or die $@ || "$log_writer: $!\n";
our (@inputs, @watched);

# What the command starts and loses sight of becomes a child of this process, where the kernel can do that.
syscall($prctl_call, $SET_CHILD_SUBREAPER, 1, 0, 0, 0) if $prctl_call;
my $text = read_file('command');
my %environment = map { split /=/, $_, 2 } split /\0/, read_file('environment');
unlink 'environment';

pipe(my $stdout, my $stdout_end) && pipe(my $stderr, my $stderr_end) && pipe(my $waking, my $wake) or die "pipe: $!\n";
pipe(my $executed, my $executing) or die "pipe: $!\n";
# A shutdown of the machine sends SIGTERM to every process; this one stays to write the exit file.
$SIG{$_} = sub { } for qw(TERM HUP INT);
$SIG{CHLD} = sub { syswrite($wake, '.') };
my $command = fork;
die "fork: $!\n" unless defined $command;
run_command() if $command == 0;
close $_ for $stdout_end, $stderr_end, $executing;
# Closed by exec: before that, the command has no group to signal, and this process's handlers.
1 while !defined sysread($executed, my $nothing, 1) && $!{EINTR};
close $executed;
write_file('started', join('', map { "$_ " . start_of($_) . "\n" } $$, $command));

my $is_over = 0;
@inputs = ($stdout, $stderr);
@watched = ({ in => $waking, read => \&look_for_end });
exit 0 if eval { write_log(@writer_arguments); 1 };
print STDERR $@;
kill 'KILL', -$command;
waitpid($command, 0) unless $is_over;
write_file('exit', "137\n") unless $is_over;

# In the child: in a session, and so a process group, of its own.
sub run_command {
  $SIG{$_} = 'DEFAULT' for qw(TERM HUP INT CHLD);
  POSIX::setsid();
  umask 022; # as in a container; the agent's own closes its files to others
  open(STDOUT, '>&', $stdout_end) && open(STDERR, '>&', $stderr_end) or POSIX::_exit(126);
  chdir $app or fail_start(126, "$app: $!\n");
  %ENV = %environment;
  # bash makes way for the last command of its text, whose own code is told then; dash stays in between and dies of the signal.
  my @shell = -x '/bin/bash' ? ('/bin/bash', '--posix') : ('/bin/sh');
  exec @shell, '-c', $text or fail_start(127, "$shell[0]: $!\n");
}

sub fail_start {
  my ($code, $reason) = @_;
  syswrite(STDERR, $reason);
  POSIX::_exit($code);
}

# Answers whether there is more to wait for.
sub look_for_end {
  sysread($waking, my $wakes, 4096);
  while ((my $ended = waitpid(-1, $WNOHANG)) > 0) {
    next unless $ended == $command;
    my $status = $? & 127 ? 128 + ($? & 127) : $? >> 8;
    $SIG{CHLD} = 'IGNORE'; # nobody asks how the others end
    end_group();
    write_file('exit', "$status\n");
    $is_over = 1;
    return 0;
  }
  return 1;
}

# What the command has left of its group: asked to end, then killed.
sub end_group {
  my $ends = time + $stragglers_seconds;
  kill 'TERM', -$command or return;
  while (time <= $ends) {
    1 while waitpid(-1, $WNOHANG) > 0;
    kill 0, -$command or return;
    select(undef, undef, undef, 0.02);
  }
  kill 'KILL', -$command;
}

# Tells a process from a later one with its pid.
sub start_of {
  my ($pid) = @_;
  if (open(my $stat, '<', "/proc/$pid/stat")) {
    my $fields = <$stat>;
    $fields =~ s/.*\) //s;
    return (split / /, $fields)[19];
  }
  local @ENV{qw(LC_ALL TZ)} = ('C', 'UTC0');
  open(my $ps, '-|', 'ps', '-o', 'lstart=', '-p', $pid) or return '?';
  return join '_', split ' ', <$ps> || '?';
}

sub read_file {
  my ($name) = @_;
  open(my $file, '<', $name) or die "$name: $!\n";
  local $/;
  my $bytes = <$file>;
  return defined $bytes ? $bytes : '';
}

# Whole, or not there.
sub write_file {
  my ($name, $bytes) = @_;
  open(my $file, '>', "$name.new") or die "$name: $!\n";
  syswrite($file, $bytes);
  close $file;
  rename "$name.new", $name or die "$name: $!\n";
}
