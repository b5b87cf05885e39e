/** Why a change cannot be sent. */
import { FIELD_LABELS } from '../../fleet/facts/edit-changes.ts';
import type { ChangeFault, HiddenField } from '../../fleet/model/changes.ts';

/** Part of a sentence. It may hold what somebody typed. */
export function changeFaultText(fault: ChangeFault): string {
  switch (fault.kind) {
    case 'nothing-named':
      return `no ${fault.what} was named`;
    case 'package-name':
      return `the service separates package names by spaces, so it cannot take ${JSON.stringify(fault.name)}`;
    case 'blank-tag':
      return 'a tag cannot be blank';
    case 'tag-both-ways':
      return `${JSON.stringify(fault.tag)} cannot be added and removed at once`;
    case 'no-address':
      return `${JSON.stringify(fault.address)} is not an IP address`;
    case 'blank-group-name':
      return 'a group needs a name: only the Default Group has a blank one';
    case 'group-color':
      return 'a color is #RRGGBB, or one of the nine names of the console';
    case 'wsus-not-forced':
      return 'a WSUS server needs WSUS to be forced';
    case 'wsus-address':
      return 'a WSUS server is http://HOST:PORT, and nothing after it';
    case 'refresh-interval':
      return `the refresh interval is ${fault.least} to ${fault.most} whole minutes`;
    case 'group-below-itself':
      return 'a group cannot be below itself';
    case 'default-group':
      return 'the Default Group cannot be deleted';
    case 'policy-field':
      return `the service would not take the new value of: ${FIELD_LABELS[fault.field]}`;
    case 'not-shown':
      return `the service does not say ${HIDDEN_FIELDS[fault.what]}, so it could get lost`;
    case 'no-more-batches':
      return 'the service takes no more batches';
  }
}

const HIDDEN_FIELDS: Readonly<Record<HiddenField, string>> = {
  'device-group': 'which group the device is in',
  'device-exception': 'whether the device is an exception',
  'device-tags': 'which tags the device has',
  'device-name': 'which name the device was given',
  'group-name': 'the name of the group',
  'group-refresh-interval': 'the refresh interval of the group',
  'group-parent': 'the parent of the group',
  'policy-configuration': 'how the policy is configured',
};
