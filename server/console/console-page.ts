/** The HTML page of the web console: it loads a script, which renders everything else, and a style sheet. */

import { icon } from "./page-parts.ts";

/** React Aria inserts a style element if none has this id. The style sheet has its only rule, so that the policy can forbid inline styles. */
const styleId = "react-aria-pressable-style";

/** The page asks for what it begins with; the script asks for its parts. @param names of the files in the folder of assets */
export function consolePage(names: readonly string[], assetsUrl: string): string {
	const ending = (wanted: string) => names.filter((name) => name.startsWith("main-") && name.endsWith(wanted));
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
