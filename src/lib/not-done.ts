/** What people ask for that Patchbay doesn’t do. */
export const NOT_DONE = [
  'remove-software',
  'installed',
  'lock',
  'remind',
  'request-alerts',
  'repeat',
  'test-alert',
  'approval-rules',
  'stand-ins',
  'protect',
  'exclusion',
  'patch-age',
  'reboot-times',
  'users',
  'own-settings',
  'beyond',
  'speed',
  'stale',
  'audit-person',
] as const;
export type NotDone = (typeof NOT_DONE)[number];
