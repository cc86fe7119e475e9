/** Begins the web console in the page that the server answers at `/`. */

import "./styles/base.css";
import "./styles/fields.css";
import "./styles/parts.css";
import "./styles/pages.css";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";

const place = document.getElementById("console");
if (place !== null) {
	const stopped = (error: unknown) => {
		place.textContent = `The console has stopped: ${String(error)}. Reload the page to go on.`;
	};
	createRoot(place, { onUncaughtError: stopped }).render(<App />);
}
