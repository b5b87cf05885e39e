/** What the body of a group says (§4.1), and the group that it describes. */
import { z } from 'zod';
import type { Instant } from '../../../clock.ts';
import type { Profile } from '../profiles.ts';
import type { GroupDraft } from '../world/edits/groups.ts';
import type { Wsus } from '../world/model.ts';
import { between, list, text, truth, whole } from './body-fields.ts';

const DAY_MINUTES = 1_440;

/** The rules are the same for a create and for a replacement. */
export function groupBody({ leastRefreshMinutes }: Profile) {
  return z.object({
    name: text('name'),
    refresh_interval: between('refresh_interval', leastRefreshMinutes, DAY_MINUTES),
    parent_server_group_id: whole('parent_server_group_id'),
    // Any text is accepted (§2.1).
    ui_color: text('ui_color').nullish(),
    notes: text('notes').nullish(),
    enable_os_auto_update: truth('enable_os_auto_update').nullish(),
    enable_wsus: truth('enable_wsus').nullish(),
    wsus_server: text('wsus_server').nullish(),
    policies: list('policies', whole('policies')).nullish(),
  });
}
export type GroupBody = z.output<ReturnType<typeof groupBody>>;

export function draftOf(body: GroupBody, now: Instant): GroupDraft {
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

/** None where nothing was said of it. */
function wsusOf({ enable_wsus, wsus_server }: GroupBody, now: Instant): Wsus | null {
  const managed = enable_wsus ?? null;
  const server = wsus_server ?? null;
  return managed === null && server === null ? null : { managed, server, setAt: now };
}
