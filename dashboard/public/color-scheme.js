// Before the first paint, so that whoever chose a scheme never sees the other one flash. The key is Mantine's.
{
  const chosen = localStorage.getItem('mantine-color-scheme-value') ?? 'auto';
  const system = matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light';
  document.documentElement.dataset.mantineColorScheme = chosen === 'auto' ? system : chosen;
}
