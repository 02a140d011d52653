/** The logo of the demo's garden party: three lanterns on a string above leaves. */
export const gardenLogo = `<svg xmlns="http://www.w3.org/2000/svg" width="256" height="256" viewBox="0 0 64 64">
<circle cx="32" cy="32" r="32" fill="#fff8e6"/>
<path d="M4 16Q32 32 60 16" fill="none" stroke="#14171a" stroke-width="1.6"/>
<path d="M16 21v4M32 24v4M48 21v4" stroke="#14171a" stroke-width="1.6"/>
<ellipse cx="16" cy="31" rx="5" ry="6" fill="#d64545"/><ellipse cx="32" cy="34" rx="5" ry="6" fill="#f2b705"/>
<ellipse cx="48" cy="31" rx="5" ry="6" fill="#2d7dd2"/>
<path d="M13 31h6M29 34h6M45 31h6" stroke="#fff8e6" stroke-width="1"/>
<path d="M12 56C12 46 20 44 26 50C28 42 38 42 40 50C46 44 54 48 52 56Z" fill="#2f7d4f"/>
</svg>`;
