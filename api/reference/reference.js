// Shows the OpenAPI document of this service; served as a file of its own, because the page allows no inline script.
/* global SwaggerUIBundle */

const schemeName = 'apiKey';
/** Where a pasted key is kept: a reload finds it, another tab and another day do not. */
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
  // Relative, so that it is found also below a path of a proxy.
  url: new URL('../v1/openapi.json', location.href).href,
  dom_id: '#reference',
  deepLinking: true,
  displayRequestDuration: true,
  filter: true,
  tryItOutEnabled: true,
  // Asks another host otherwise.
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
