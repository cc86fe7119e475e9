/** Begins the web console in the page that the server answers at `/`. */

import "./styles/theme.css";
import "./styles/base.css";
import "./styles/fields.css";
import "./styles/parts.css";
import "./styles/pages.css";
import { I18nProvider } from "react-aria-components";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const place = document.getElementById("console");
if (place !== null) {
	const stopped = (error: unknown) => {
		place.textContent = `The console has stopped: ${String(error)}. Reload the page to go on.`;
	};
	// The page speaks English, so its parts do too, whatever the browser speaks.
	createRoot(place, { onUncaughtError: stopped }).render(
		<I18nProvider locale="en-US">
			<App />
		</I18nProvider>,
	);
}
