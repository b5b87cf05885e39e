/** The event names that the product acts on (§6). A service may send others: a name is an open string. */
export const PATCH_FAILED = 'system.patch.failed';
export const PATCH_APPLIED = 'system.patch.applied';
export const POLICY_ACTION = 'system.policy.action';
export const DEVICE_ADDED = 'system.add';
export const DEVICE_REMOVED = 'system.delete';
export const PATCH_UNINSTALLED = 'system.patch.uninstall';
export const GROUP_ACTION = 'system.group.action';
export const NOTIFICATION_SENT = 'system.notification.sent';
export const NOTIFICATION_RESPONSE = 'system.notification.response';
export const USER_CREATED = 'user.create';
export const SAML_USER_CREATED = 'saml.user.create';
export const USER_LOGIN = 'user.login';
export const USER_LOGOUT = 'user.logout';
export const USER_REMOVED = 'user.removed';
export const ENDPOINT_LIMIT = 'org.exceeded_endpoint_limit';
export const APP_ADDED = 'slack.app.added';
export const APP_REINSTALLED = 'slack.app.reinstalled';

/** All names of §6. */
export const LOG_EVENT_NAMES: readonly string[] = [
  ENDPOINT_LIMIT,
  SAML_USER_CREATED,
  APP_ADDED,
  APP_REINSTALLED,
  DEVICE_ADDED,
  DEVICE_REMOVED,
  GROUP_ACTION,
  NOTIFICATION_RESPONSE,
  NOTIFICATION_SENT,
  PATCH_APPLIED,
  PATCH_FAILED,
  PATCH_UNINSTALLED,
  POLICY_ACTION,
  USER_CREATED,
  USER_LOGIN,
  USER_LOGOUT,
  USER_REMOVED,
];
