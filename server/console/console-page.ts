/** The page of the web console: it names its script and its style sheet, and everything else is drawn by the script. */

import { icon } from "./page-parts.ts";

/** React Aria would write a style element of this id where none is; the style sheet holds its one rule, so the policy can forbid style elements. */
const styleId = "react-aria-pressable-style";

/** @param names of the files in the folder of assets */
export function consolePage(names: readonly string[], assetsUrl: string): string {
	const ending = (wanted: string) => names.filter((name) => name.endsWith(wanted));
	const styles = ending(".css").map((name) => `<link rel="stylesheet" id="${styleId}" href="${assetsUrl}/${name}">`);
	const scripts = ending(".js").map((name) => `<script type="module" src="${assetsUrl}/${name}"></script>`);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Cairn</title>
<link rel="icon" href="${icon}">
${styles.join("\n")}
${scripts.join("\n")}
</head>
<body>
<div id="console"></div>
<noscript>The console needs JavaScript. The API is described at <a href="/openapi.json">/openapi.json</a>.</noscript>
</body>
</html>
`;
}
