/** The event names that the product acts on (§6). A service may send others: a name is an open string. */
export const PATCH_FAILED = 'system.patch.failed';
export const PATCH_APPLIED = 'system.patch.applied';
export const POLICY_ACTION = 'system.policy.action';
export const DEVICE_ADDED = 'system.add';
