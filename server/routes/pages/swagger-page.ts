/** The page and assets of Swagger UI, from the package swagger-ui-dist, without requests to other hosts. */

import { fileURLToPath } from "node:url";

export interface SwaggerPageUrls {
	/** The URL of the OpenAPI document, such as `/openapi.json`. */
	readonly specUrl: string;
	/** The path under which the files of `swaggerAsset` are served. */
	readonly assetsUrl: string;
}

export interface SwaggerAsset {
	readonly body: Blob;
	readonly mediaType: string;
}

/**
 * The `Content-Security-Policy` of the page: it may only load files of this server. Swagger UI uses `data:` URLs for icons and inline
 * style attributes. Inline scripts are forbidden, so text in the OpenAPI document cannot run as a script.
 */
export const swaggerPolicy = [
	"default-src 'none'",
	"script-src 'self'",
	"style-src 'self' 'unsafe-inline'",
	"img-src 'self' data:",
	"connect-src 'self'",
	"base-uri 'none'",
	"form-action 'none'",
	"frame-ancestors 'none'",
].join("; ");

/** The HTML page. Its start script is a file too, and reads the URL of the document from an attribute. */
export function swaggerPage({ specUrl, assetsUrl }: SwaggerPageUrls): string {
	const assets = escapeAttribute(assetsUrl);
	return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Cairn API</title>
<link rel="icon" type="image/png" href="${assets}/favicon-32x32.png">
<link rel="stylesheet" href="${assets}/index.css">
<link rel="stylesheet" href="${assets}/swagger-ui.css">
</head>
<body>
<div id="swagger-ui" data-spec-url="${escapeAttribute(specUrl)}"></div>
<noscript>This page needs JavaScript. The OpenAPI document is at <a href="${escapeAttribute(specUrl)}">${escapeAttribute(specUrl)}</a>.</noscript>
<script src="${assets}/swagger-ui-bundle.js"></script>
<script src="${assets}/start.js"></script>
</body>
</html>
`;
}

/** The asset with this name, or null. Only names in the list are converted to a path. */
export function swaggerAsset(name: string): SwaggerAsset | null {
	if (name === "start.js") return { body: new Blob([startScript]), mediaType: assetTypes["swagger-ui-bundle.js"] };
	if (!isKnownAsset(name)) return null;
	return { body: Bun.file(fileURLToPath(import.meta.resolve(`swagger-ui-dist/${name}`))), mediaType: assetTypes[name] };
}

/** The files of the package that the page needs, with their media types. */
const assetTypes = {
	"favicon-32x32.png": "image/png",
	"index.css": "text/css; charset=utf-8",
	"swagger-ui-bundle.js": "text/javascript; charset=utf-8",
	"swagger-ui.css": "text/css; charset=utf-8",
} as const;

/**
 * With `validatorUrl: null` the document is not sent to a public validator. API keys entered into *Authorize* are not stored in the
 * browser. The base layout has no field for the URL of another document.
 */
const startScript = `const place = document.getElementById("swagger-ui");
window.ui = SwaggerUIBundle({
	url: place.dataset.specUrl,
	domNode: place,
	deepLinking: true,
	displayRequestDuration: true,
	persistAuthorization: false,
	presets: [SwaggerUIBundle.presets.apis],
	layout: "BaseLayout",
	queryConfigEnabled: false,
	tryItOutEnabled: true,
	validatorUrl: null,
});
`;

function isKnownAsset(name: string): name is keyof typeof assetTypes {
	return Object.hasOwn(assetTypes, name);
}

function escapeAttribute(text: string): string {
	return text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
}
