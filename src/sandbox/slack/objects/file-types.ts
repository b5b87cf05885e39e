/** Slack's names of file types (docs.slack.dev/reference/objects/file-object, "File types"). */
const NAMES: Readonly<Record<string, string>> = {
  auto: 'Auto Detect Type',
  text: 'Plain Text',
  ai: 'Illustrator File',
  apk: 'APK',
  applescript: 'AppleScript',
  binary: 'Binary',
  bmp: 'Bitmap',
  boxnote: 'BoxNote',
  c: 'C',
  csharp: 'C#',
  cpp: 'C++',
  css: 'CSS',
  csv: 'CSV',
  clojure: 'Clojure',
  coffeescript: 'CoffeeScript',
  cfm: 'ColdFusion',
  d: 'D',
  dart: 'Dart',
  diff: 'Diff',
  doc: 'Word Document',
  docx: 'Word document',
  dockerfile: 'Docker',
  dotx: 'Word template',
  eml: 'Email',
  eps: 'EPS',
  epub: 'EPUB',
  erlang: 'Erlang',
  fla: 'Flash FLA',
  flv: 'Flash video',
  fsharp: 'F#',
  fortran: 'Fortran',
  gdoc: 'GDocs Document',
  gdraw: 'GDocs Drawing',
  gif: 'GIF',
  go: 'Go',
  gpres: 'GDocs Presentation',
  groovy: 'Groovy',
  gsheet: 'GDocs Spreadsheet',
  gzip: 'Gzip',
  html: 'HTML',
  handlebars: 'Handlebars',
  haskell: 'Haskell',
  haxe: 'Haxe',
  indd: 'InDesign Document',
  java: 'Java',
  javascript: 'JavaScript',
  jpg: 'JPEG',
  json: 'JSON',
  keynote: 'Keynote Document',
  kotlin: 'Kotlin',
  latex: 'LaTeX/sTeX',
  lisp: 'Lisp',
  lua: 'Lua',
  m4a: 'MPEG 4 audio',
  markdown: 'Markdown (raw)',
  matlab: 'MATLAB',
  mhtml: 'MHTML',
  mkv: 'Matroska video',
  mov: 'QuickTime video',
  mp3: 'mp4',
  mp4: 'MPEG 4 video',
  mpg: 'MPEG video',
  mumps: 'MUMPS',
  numbers: 'Numbers Document',
  nzb: 'NZB',
  objc: 'Objective-C',
  ocaml: 'OCaml',
  odg: 'OpenDocument Drawing',
  odi: 'OpenDocument Image',
  odp: 'OpenDocument Presentation',
  ods: 'OpenDocument Spreadsheet',
  odt: 'OpenDocument Text',
  ogg: 'Ogg Vorbis',
  ogv: 'Ogg video',
  pages: 'Pages Document',
  pascal: 'Pascal',
  pdf: 'PDF',
  perl: 'Perl',
  php: 'PHP',
  pig: 'Pig',
  png: 'PNG',
  post: 'Slack Post',
  powershell: 'PowerShell',
  ppt: 'PowerPoint presentation',
  pptx: 'PowerPoint presentation',
  psd: 'Photoshop Document',
  puppet: 'Puppet',
  python: 'Python',
  qtz: 'Quartz Composer Composition',
  r: 'R',
  rtf: 'Rich Text File',
  ruby: 'Ruby',
  rust: 'Rust',
  sql: 'SQL',
  sass: 'Sass',
  scala: 'Scala',
  scheme: 'Scheme',
  sketch: 'Sketch File',
  shell: 'Shell',
  smalltalk: 'Smalltalk',
  svg: 'SVG',
  swf: 'Flash SWF',
  swift: 'Swift',
  tar: 'Tarball',
  tiff: 'TIFF',
  tsv: 'TSV',
  vb: 'VB.NET',
  vbscript: 'VBScript',
  vcard: 'vCard',
  velocity: 'Velocity',
  verilog: 'Verilog',
  wav: 'Waveform audio',
  webm: 'WebM',
  wmv: 'Windows Media Video',
  xls: 'Excel spreadsheet',
  xlsx: 'Excel spreadsheet',
  xlsb: 'Excel Spreadsheet (Binary, Macro Enabled)',
  xlsm: 'Excel Spreadsheet (Macro Enabled)',
  xltx: 'Excel template',
  xml: 'XML',
  yaml: 'YAML',
  zip: 'Zip',
};

/** Types whose files have another ending; the page lists types, not endings. */
const ENDINGS: Readonly<Record<string, string>> = {
  jpeg: 'jpg',
  js: 'javascript',
  md: 'markdown',
  ps1: 'powershell',
  py: 'python',
  sh: 'shell',
  txt: 'text',
  yml: 'yaml',
};

const MIMETYPES: Readonly<Record<string, string>> = {
  csv: 'text/csv',
  gif: 'image/gif',
  jpg: 'image/jpeg',
  json: 'application/json',
  markdown: 'text/markdown',
  pdf: 'application/pdf',
  png: 'image/png',
  yaml: 'text/yaml',
};
/** "Multiple different file types (html, js, etc.) share the same mime type." */
const PLAIN = new Set(['html', 'javascript', 'powershell', 'python', 'shell', 'sql', 'text', 'xml']);

export type FileType = { readonly filetype: string; readonly pretty: string; readonly mimetype: string };

/** The type of a file by the ending of its name. */
export function fileTypeOf(name: string): FileType {
  const end = name.slice(name.lastIndexOf('.') + 1).toLowerCase();
  const filetype = own(ENDINGS, end) ?? end;
  const pretty = own(NAMES, filetype);
  if (pretty === undefined) return { filetype: 'binary', pretty: 'Binary', mimetype: OTHER };
  return {
    filetype,
    pretty,
    mimetype: PLAIN.has(filetype) ? 'text/plain' : (own(MIMETYPES, filetype) ?? OTHER),
  };
}

/** The type of a snippet, which says it itself. */
export function snippetTypeOf(filetype: string): FileType {
  return { filetype, pretty: own(NAMES, filetype) ?? filetype, mimetype: 'text/plain' };
}

const OTHER = 'application/octet-stream';

function own(table: Readonly<Record<string, string>>, key: string): string | undefined {
  return Object.hasOwn(table, key) ? table[key] : undefined;
}
