# Project quotas of ext4 and XFS, which have the same interface in the kernel; for file systems mounted with `prjquota`.
#
#   perl project-quota.pl adopt DIRECTORY ID               the directory and all in it count for the project, and what is made in it
#   perl project-quota.pl limit DIRECTORY ID KIBIBYTES FILES    never below what there is; prints the KIBIBYTES it got. 0 takes a limit away
#
# Constants and layouts are those of linux/fs.h and linux/quota.h.

use strict;
use warnings;
use Fcntl qw(O_RDONLY O_NOFOLLOW O_NONBLOCK S_ISDIR S_ISREG);

my ($FS_IOC_FSGETXATTR, $FS_IOC_FSSETXATTR, $FS_XFLAG_PROJINHERIT) = (0x801c581f, 0x401c5820, 0x200);
my $FSXATTR = 'L5 x8'; # xflags, extsize, nextents, projid, cowextsize
my ($QUOTACTL_FD, $Q_GETQUOTA, $Q_SETQUOTA, $PRJQUOTA) = (443, 0x800007, 0x800008, 2);
my $DQBLK = 'Q8 L x4'; # hard and soft limit of blocks, space, hard and soft limit of inodes, inodes, two times; what is valid
my ($QIF_BLIMITS, $QIF_ILIMITS) = (1, 4);

my ($action, $directory, $id, $kibibytes, $files) = @ARGV;
if ($action eq 'adopt') {
  adopt($directory) unless is_adopted(opened($directory));
} elsif ($action eq 'limit') {
  my $handle = opened($directory);
  my ($used_kibibytes, $used_files) = used($handle);
  $kibibytes = $used_kibibytes if $kibibytes > 0 && $used_kibibytes > $kibibytes;
  $files = $used_files if $files > 0 && $used_files > $files;
  my $limits = pack($DQBLK, $kibibytes, 0, 0, $files, 0, 0, 0, 0, $QIF_BLIMITS | $QIF_ILIMITS);
  syscall($QUOTACTL_FD, fileno $handle, command($Q_SETQUOTA), $id + 0, $limits) == 0 or die "quota of $directory: $!\n";
  print "$kibibytes\n";
} else {
  die "no such action: $action\n";
}

# Contents before the directory itself, so that one that is marked is marked whole. What is neither file nor directory takes no room.
sub adopt {
  my ($path) = @_;
  my $mode = (lstat $path)[2];
  return unless defined $mode && (S_ISDIR($mode) || S_ISREG($mode));
  my $handle = opened($path);
  if (S_ISDIR($mode)) {
    opendir(my $entries, $path) or die "$path: $!\n";
    adopt("$path/$_") for grep { $_ ne '.' && $_ ne '..' } readdir $entries;
    closedir $entries;
  }
  my @attributes = attributes($handle);
  @attributes[0, 3] = ($attributes[0] | (S_ISDIR($mode) ? $FS_XFLAG_PROJINHERIT : 0), $id);
  ioctl($handle, $FS_IOC_FSSETXATTR, pack($FSXATTR, @attributes)) or die "project of $path: $!\n";
}

# What the project has on this file system; nothing when the kernel has never counted for it.
sub used {
  my ($handle) = @_;
  my $counted = pack($DQBLK, (0) x 9);
  if (syscall($QUOTACTL_FD, fileno $handle, command($Q_GETQUOTA), $id + 0, $counted) != 0) {
    return (0, 0) if $!{ENOENT};
    die "quota of $directory: $!\n";
  }
  my ($bytes, $inodes) = (unpack($DQBLK, $counted))[2, 5];
  return (int(($bytes + 1023) / 1024), $inodes);
}

sub command {
  return unpack('l', pack('L', $_[0] << 8 | $PRJQUOTA));
}

sub is_adopted {
  my ($flags, $project) = (attributes($_[0]))[0, 3];
  return $project == $id && $flags & $FS_XFLAG_PROJINHERIT;
}

sub attributes {
  my $attributes = pack($FSXATTR, (0) x 5);
  ioctl($_[0], $FS_IOC_FSGETXATTR, $attributes) or die "project of a file: $!\n";
  return unpack($FSXATTR, $attributes);
}

# Never through a link, and never waiting for the other end of a fifo.
sub opened {
  my ($path) = @_;
  sysopen(my $handle, $path, O_RDONLY | O_NOFOLLOW | O_NONBLOCK) or die "$path: $!\n";
  return $handle;
}
