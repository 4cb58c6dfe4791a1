/** Makes what live streams carry, for tests that need no cluster. */

import type { Account, LiveProject, Notice, Project } from "@tijolo/protocol";

const at = "2026-01-01T12:00:00.000Z";

const project: Project = {
  id: "01KAJ3W8M5T9Q2R7V4X6Z0B1CD",
  name: "loja",
  description: "",
  type: "bot",
  language: "node",
  version: "24",
  entry: "index.js",
  command: "node index.js",
  installCommand: null,
  root: null,
  systemPackages: [],
  memoryMb: 256,
  port: null,
  subdomain: null,
  url: null,
  internalHost: "svc-x6z0b1cd",
  status: "running",
  error: null,
  hasAutoRestart: true,
  consecutiveCrashes: 0,
  lastExit: null,
  usage: null,
  startedAt: at,
  templateId: null,
  restoredFromBackupId: null,
  createdAt: at,
  updatedAt: at,
};

export function sampleLive(changes: Partial<Project> = {}): LiveProject {
  return {
    project: { ...project, ...changes },
    action: null,
    isSilent: false,
    isRestartRequired: false,
    waiting: [],
    isHostAway: false,
    hostSeenAt: at,
  };
}

export function sampleAccount(changes: Partial<Account> = {}): Account {
  const quota = { limit: 3, used: 1, free: 2 };
  const window = { limit: 60, remaining: 60, resetSeconds: 60 };
  return {
    id: "01ARZ3NDEKTSV4RRFFQ69G5FAW",
    name: "Ana",
    plan: "Stack",
    memoryMb: quota,
    projects: quota,
    sites: quota,
    domains: quota,
    requests: { perMinute: window, perDay: window },
    suspendedAt: null,
    stopsAt: null,
    betaEndsAt: null,
    createdAt: at,
    ...changes,
  };
}

export function sampleNotice(changes: Partial<Notice> = {}): Notice {
  return {
    id: "01KAJ3W8M5T9Q2R7V4X6Z0B1CE",
    kind: "test",
    projectId: null,
    title: "Teste",
    message: "Um teste.",
    at,
    lastAt: at,
    count: 1,
    isRead: false,
    data: {},
    ...changes,
  };
}
