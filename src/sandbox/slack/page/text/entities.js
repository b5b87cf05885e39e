/** Decodes the three characters that Slack escapes. @param {string} text */
export const decoded = (text) =>
  text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
