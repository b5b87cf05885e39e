/** `callback_id` of the shortcuts: the manifest and the listener name them alike. */
export const FIND_DEVICE = 'find_device';
export const ACT_ON_DEVICE = 'act_on_device';
