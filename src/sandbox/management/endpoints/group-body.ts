/** The body of a group request (§4.1), and the group that it describes. */
import { z } from 'zod';
import type { Instant } from '../../../lib/clock.ts';
import type { Profile } from '../profiles.ts';
import type { GroupDraft } from '../world/edits/edit-groups.ts';
import type { WsusSettings } from '../world/model.ts';
import { booleanField, integerField, listField, orDigits, rangeField, textField } from './body-fields.ts';

const DAY_MINUTES = 1_440;

/**
 * The same rules for a create and a replacement.
 * Numbers as text: AutomoxCommunity/Templates_And_Examples, RecursiveGroupsCreationViaCSV.ps1.
 */
export function groupBody({ leastRefreshMinutes }: Profile) {
  return z.object({
    name: textField('name'),
    refresh_interval: orDigits(rangeField('refresh_interval', leastRefreshMinutes, DAY_MINUTES)),
    parent_server_group_id: orDigits(integerField('parent_server_group_id')),
    // Any text is accepted (§2.1).
    ui_color: textField('ui_color').nullish(),
    notes: textField('notes').nullish(),
    enable_os_auto_update: booleanField('enable_os_auto_update').nullish(),
    enable_wsus: booleanField('enable_wsus').nullish(),
    wsus_server: textField('wsus_server').nullish(),
    policies: listField('policies', orDigits(integerField('policies'))).nullish(),
  });
}
export type GroupBody = z.output<ReturnType<typeof groupBody>>;

export function groupDraftOf(body: GroupBody, now: Instant): GroupDraft {
  return {
    name: body.name,
    parentId: body.parent_server_group_id,
    refreshMinutes: body.refresh_interval,
    color: body.ui_color ?? null,
    notes: body.notes ?? '',
    osAutoUpdate: body.enable_os_auto_update ?? null,
    wsus: wsusOf(body, now),
    policies: [...new Set(body.policies ?? [])],
  };
}

/** Null where the body has neither field. */
function wsusOf({ enable_wsus, wsus_server }: GroupBody, now: Instant): WsusSettings | null {
  const managed = enable_wsus ?? null;
  const server = wsus_server ?? null;
  return managed === null && server === null ? null : { managed, server, setAt: now };
}
