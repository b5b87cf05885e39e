/** The values that the document lists. */

/** §4.3; `{policy_id}` stands for a policy's number. */
export const LISTED_COMMAND_TYPES = [
  'GetOS',
  'InstallUpdate',
  'InstallAllUpdates',
  'policy_{policy_id}_test',
  'policy_{policy_id}_remediate',
  'Reboot',
] as const;

/** §6 */
export const LISTED_EVENT_NAMES = [
  'org.exceeded_endpoint_limit',
  'saml.user.create',
  'slack.app.added',
  'slack.app.reinstalled',
  'system.add',
  'system.delete',
  'system.group.action',
  'system.notification.response',
  'system.notification.sent',
  'system.patch.applied',
  'system.patch.failed',
  'system.patch.uninstall',
  'system.policy.action',
  'user.create',
  'user.login',
  'user.logout',
  'user.removed',
] as const;

/** §2.9 */
export const LISTED_FILTER_OPERATORS = {
  os_family: ['in', 'not in'],
  os_version_id: ['in', 'not in'],
  ip_addr: ['like_any', 'not_like_any'],
  tag: ['like_any', 'not_like_any'],
  hostname: ['like_any', 'not_like_any'],
} as const;

/** From practice; the live service spells `not in` as `not_in`. */
export const LIVE_FILTER_OPERATORS = {
  organizational_unit: ['like_any', 'not_like_any'],
  serial_number: ['like_any', 'not_like_any'],
} as const;
