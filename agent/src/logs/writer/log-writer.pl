# Writes what it reads to numbered, time-stamped, size-capped files until its input ends; see log-files.ts for the layout.
#
#   perl log-writer.pl CLOCK_GETTIME_CALL FILE_BYTES ARCHIVES LINE_BYTES DIRECTORY [DIRECTORY_OF_FD_3 ...]
#
# Also a part of supervise.pl, which calls `write_log` with the same arguments, and sets `@inputs` (to read instead of descriptors) and
# `@watched` (to call `read` of when `in` can be read, until that answers that there is no more).
#
# No module is loaded, not even strict (each costs every project memory; a test checks it under strict). Only the end of its input (or SIGKILL) ends it.

my ($EINTR, $EAGAIN) = (4, 11);
my ($clock_call, $file_bytes, $archives_kept, $line_bytes, $lock_deadline, $stamped_second, $stamp_prefix);
our (@inputs, @watched);
write_log(@ARGV) unless caller;

sub write_log {
  ($clock_call, $file_bytes, $archives_kept, $line_bytes, my @directories) = @_;
  die "log-writer: no directory\n" unless @directories;
  $clock_call += 0;
  $SIG{$_} = 'IGNORE' for qw(HUP INT TERM PIPE XFSZ);
  umask 077;
  $lock_deadline = time + 10;
  my @streams = map { open_stream($inputs[$_] || input_of_descriptor($_ == 0 ? 0 : $_ + 2), $directories[$_]) } 0 .. $#directories;

  while (@streams || @watched) {
    my $wanted = '';
    vec($wanted, fileno($_->{in}), 1) = 1 for @streams, @watched;
    next if select(my $ready = $wanted, undef, undef, undef) < 0;
    @streams = grep { !vec($ready, fileno($_->{in}), 1) || read_some($_) } @streams;
    @watched = grep { !vec($ready, fileno($_->{in}), 1) || $_->{read}->() } @watched;
  }
}

sub input_of_descriptor {
  my ($fd) = @_;
  open(my $in, '<&=', $fd) or die "log-writer: descriptor $fd: $!\n";
  return $in;
}

# Answers whether there may be more.
sub read_some {
  my ($stream) = @_;
  my $count = sysread($stream->{in}, my $data, 65536);
  return $! == $EINTR || $! == $EAGAIN unless defined $count;
  if ($count) {
    take($stream, $data);
    return 1;
  }
  take($stream, "\n") if $stream->{cutting} || $stream->{rest} ne ''; # a last line without its newline
  return 0;
}

sub take {
  my ($stream, $data) = @_;
  if ($stream->{cutting}) {
    my $newline = index($data, "\n");
    $stream->{cut_bytes} += $newline < 0 ? length $data : $newline;
    return if $newline < 0;
    put($stream, "$stream->{head}... [$stream->{cut_bytes} bytes cut]\n");
    $stream->{cutting} = 0;
    $stream->{head} = '';
    $data = substr($data, $newline + 1);
  }
  $data = $stream->{rest} . $data;
  $stream->{rest} = '';
  my $start = 0;
  while (length($data) - $start > $line_bytes) {
    my $newline = rindex($data, "\n", $start + $line_bytes);
    if ($newline >= $start) {
      $start = $newline + 1;
      next;
    }
    put($stream, substr($data, 0, $start)) if $start > 0;
    my $head = substr($data, $start, $line_bytes);
    # An UTF-8 character that the cut would halve goes with what is cut off.
    $head =~ s/(?:[\xC0-\xFF]|[\xE0-\xFF][\x80-\xBF]|[\xF0-\xFF][\x80-\xBF]{2})\z//;
    $stream->{head} = $head;
    $stream->{cutting} = 1;
    $stream->{cut_bytes} = 0;
    take($stream, substr($data, $start + length $head));
    return;
  }
  my $end = rindex($data, "\n") + 1;
  put($stream, substr($data, 0, $end)) if $end > 0;
  $stream->{rest} = substr($data, $end);
}

# Appends whole lines. What cannot be written (disk full, directory removed) is counted, never waited for.
sub put {
  my ($stream, $block) = @_;
  my $lines = $block =~ tr/\n//;
  my $stamp = stamp();
  $block =~ s/^/$stamp/mg;
  my $is_full = $stream->{bytes} > 0 && $stream->{bytes} + length $block > $file_bytes;
  rotate($stream) if $is_full || $stream->{missing} > 0;
  unless ($stream->{out}) {
    $stream->{missing} += $lines;
    return;
  }
  my $written = 0;
  while ($written < length $block) {
    my $count = syswrite($stream->{out}, $block, length($block) - $written, $written);
    next if !defined $count && $! == $EINTR;
    last unless $count;
    $written += $count;
  }
  if ($written < length $block) {
    my $whole = $written > 0 ? rindex($block, "\n", $written - 1) + 1 : 0;
    truncate($stream->{out}, $stream->{bytes} + $whole);
    my $kept = substr($block, 0, $whole) =~ tr/\n//;
    $stream->{missing} += $lines - $kept;
    ($lines, $written) = ($kept, $whole);
  }
  $stream->{lines} += $lines;
  $stream->{bytes} += $written;
}

# Gives the current file its final name and begins the next one, after the lines that could not be written.
sub rotate {
  my ($stream) = @_;
  my $directory = $stream->{directory};
  if ($stream->{out}) {
    my $current = "$directory/$stream->{first}-.log";
    if ($stream->{lines} > 0) {
      my $archive = sprintf('%s/%d-%d.log', $directory, $stream->{first}, $stream->{first} + $stream->{lines} - 1);
      rename($current, $archive);
      push @{$stream->{archives}}, $archive;
    } else {
      unlink $current;
    }
    close $stream->{out};
    $stream->{first} += $stream->{lines};
    ($stream->{out}, $stream->{lines}, $stream->{bytes}) = (undef, 0, 0);
  }
  unlink shift @{$stream->{archives}} while @{$stream->{archives}} > $archives_kept;
  my $first = $stream->{first} + $stream->{missing};
  open($stream->{out}, '>>', "$directory/$first-.log") or do { $stream->{out} = undef; return; };
  ($stream->{first}, $stream->{missing}) = ($first, 0);
}

# Takes up the directory where the last writer left it, however that one ended.
sub open_stream {
  my ($in, $directory) = @_;
  my $path = '';
  for my $part (split m{/}, $directory) {
    $path .= "$part/";
    mkdir $path;
  }
  open(my $lock, '>>', "$directory/lock") or die "log-writer: $directory/lock: $!\n";
  until (flock($lock, 2 | 4)) {
    die "log-writer: another writer holds $directory\n" if time >= $lock_deadline;
    select(undef, undef, undef, 0.01);
  }
  opendir(my $listing, $directory) or die "log-writer: $directory: $!\n";
  my (%last, $open_first);
  for (readdir $listing) {
    next unless /^([0-9]+)-([0-9]*)\.log\z/;
    if ($2 eq '') { $open_first = $1 } else { $last{$1} = $2 }
  }
  closedir $listing;
  my @firsts = sort { $a <=> $b } keys %last;
  my $stream = {
    in => $in, directory => $directory, lock => $lock,
    archives => [map { "$directory/$_-$last{$_}.log" } @firsts],
    first => defined $open_first ? $open_first : @firsts ? $last{$firsts[-1]} + 1 : 1,
    lines => 0, bytes => 0, missing => 0,
    rest => '', head => '', cutting => 0, cut_bytes => 0,
  };
  my $current = "$directory/$stream->{first}-.log";
  open($stream->{out}, '>>', $current) or die "log-writer: $current: $!\n";
  open(my $existing, '<', $current) or die "log-writer: $current: $!\n";
  my $tail = "\n";
  while (sysread($existing, my $data, 65536)) {
    $stream->{lines} += $data =~ tr/\n//;
    $stream->{bytes} += length $data;
    $tail = substr($data, -1);
  }
  close $existing;
  if ($tail ne "\n" && syswrite($stream->{out}, "\n")) { # the last writer was killed within a line
    $stream->{lines}++;
    $stream->{bytes}++;
  }
  return $stream;
}

sub time_without_call {
  return (time, 0) unless eval { require Time::HiRes };
  my ($seconds, $microseconds) = Time::HiRes::gettimeofday();
  return ($seconds, $microseconds * 1000);
}

# The time of now in UTC, to the millisecond.
sub stamp {
  my $timespec = pack('l!2', 0, 0);
  my ($seconds, $nanoseconds) = $clock_call && syscall($clock_call, 0, $timespec) == 0 ? unpack('l!2', $timespec) : time_without_call();
  if (!defined $stamped_second || $seconds != $stamped_second) {
    my @now = gmtime $seconds;
    $stamp_prefix = sprintf('%04d-%02d-%02dT%02d:%02d:%02d', $now[5] + 1900, $now[4] + 1, @now[3, 2, 1, 0]);
    $stamped_second = $seconds;
  }
  return sprintf('%s.%03dZ ', $stamp_prefix, $nanoseconds / 1_000_000);
}

1; # whoever made it a part of itself
