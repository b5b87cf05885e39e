/** Types of files (https://docs.slack.dev/reference/objects/file-object, "File types"). */
import { expect, it } from 'vitest';
import { fileTypeOf, snippetTypeOf } from '../../../../src/sandbox/slack/objects/file-types.ts';

it.each([
  ['report.csv', 'csv', 'CSV', 'text/csv'],
  ['a.TXT', 'text', 'Plain Text', 'text/plain'],
  ['a.md', 'markdown', 'Markdown (raw)', 'text/markdown'],
  ['a.jpeg', 'jpg', 'JPEG', 'image/jpeg'],
  ['fix.ps1', 'powershell', 'PowerShell', 'text/plain'],
  ['a.js', 'javascript', 'JavaScript', 'text/plain'],
  ['a.html', 'html', 'HTML', 'text/plain'],
  ['a.b.zip', 'zip', 'Zip', 'application/octet-stream'],
  ['a.xlsm', 'xlsm', 'Excel Spreadsheet (Macro Enabled)', 'application/octet-stream'],
  ['a', 'binary', 'Binary', 'application/octet-stream'],
  ['a.constructor', 'binary', 'Binary', 'application/octet-stream'],
])('%s is %s, shown as %s', (name, filetype, pretty, mimetype) => {
  expect(fileTypeOf(name)).toEqual({ filetype, pretty, mimetype });
});

it.each([
  ['python', 'Python'],
  ['cobol', 'cobol'],
])('a snippet says that it is %s, shown as %s', (filetype, pretty) => {
  expect(snippetTypeOf(filetype)).toEqual({ filetype, pretty, mimetype: 'text/plain' });
});
