/** `saved`: lists the person's saved targets and the shared ones. */
import { defineSettingCommand, type NoInput, noInput, parseNoInput } from './core/define-command.ts';
import { runSavedTargets } from './save.ts';

export const savedCommand = defineSettingCommand<NoInput>({
  name: 'saved',
  usage: 'saved',
  summary: 'List your saved targets and the shared ones.',
  examples: ['saved'],
  permission: 'read',
  byOnePress: () => true,
  input: noInput,
  parse: parseNoInput,
  run: (_asked, _page, ports) => runSavedTargets({ do: 'list' }, ports),
});
