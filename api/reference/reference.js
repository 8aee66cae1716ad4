// Shows the OpenAPI document of this service. It is a file of its own because the page allows no inline script.
/* global SwaggerUIBundle */

const schemeName = 'apiKey';
/** Key in `sessionStorage` of the pasted API key: it survives a reload but not the tab. */
const storageKey = 'apiKey';

const keepKeyInTab = () => ({
  statePlugins: {
    auth: {
      wrapActions: {
        authorize: (authorize) => (authorizations) => {
          const key = authorizations[schemeName]?.value;
          if (key) sessionStorage.setItem(storageKey, key);
          return authorize(authorizations);
        },
        logout: (logout) => (names) => {
          sessionStorage.removeItem(storageKey);
          return logout(names);
        },
      },
    },
  },
});

const ui = SwaggerUIBundle({
  // Relative, so that it also works behind a proxy with a path prefix.
  url: new URL('../v1/openapi.json', location.href).href,
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // Otherwise Swagger UI calls another host.
  validatorUrl: 'none',
  plugins: [keepKeyInTab],
  onComplete: () => {
    const key = sessionStorage.getItem(storageKey);
    if (key) ui.preauthorizeApiKey(schemeName, key);
  },
});

const dark = matchMedia('(prefers-color-scheme: dark)');
const showTheme = () => document.documentElement.classList.toggle('dark-mode', dark.matches);
dark.addEventListener('change', showTheme);
showTheme();
