/** The event names that the product acts on (§6). A service may send others: a name is an open string. */
export const PATCH_FAILED = 'system.patch.failed';
export const PATCH_APPLIED = 'system.patch.applied';
export const POLICY_ACTION = 'system.policy.action';
export const DEVICE_ADDED = 'system.add';
export const DEVICE_REMOVED = 'system.delete';

/** All names of §6. */
export const EVENT_NAMES: readonly string[] = [
  'org.exceeded_endpoint_limit',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  DEVICE_ADDED,
  'system.delete',
  'system.group.action',
  'system.notification.response',
  'system.notification.sent',
  PATCH_APPLIED,
  PATCH_FAILED,
  'system.patch.uninstall',
  POLICY_ACTION,
  'user.create',
  'user.login',
  'user.logout',
  'user.removed',
];
