# botocore.config.Config: checked as botocore does it. Little of it has an effect, because
# programs have no network.


class Config:
    OPTION_DEFAULTS = {
        "region_name": None, "signature_version": None, "user_agent": None, "user_agent_extra": None,
        "user_agent_appid": None, "connect_timeout": 60, "read_timeout": 60,
        "parameter_validation": True, "max_pool_connections": 10, "proxies": None,
        "proxies_config": None, "s3": None, "s3_disable_express_session_auth": None, "retries": None,
        "client_cert": None, "inject_host_prefix": None, "endpoint_discovery_enabled": None,
        "use_dualstack_endpoint": None, "use_fips_endpoint": None,
        "ignore_configured_endpoint_urls": None, "defaults_mode": None, "tcp_keepalive": None,
        "request_min_compression_size_bytes": None, "disable_request_compression": None,
        "client_context_params": None, "sigv4a_signing_region_set": None,
        "request_checksum_calculation": None, "response_checksum_validation": None,
        "account_id_endpoint_mode": None, "auth_scheme_preference": None,
    }

    def __init__(self, *args, **kwargs):
        names = list(self.OPTION_DEFAULTS)
        for name in kwargs:
            if name not in self.OPTION_DEFAULTS:
                raise TypeError(f"Got unexpected keyword argument '{name}'")
        if len(args) > len(names):
            raise TypeError(f"Takes at most {len(names)} arguments ({len(args)} given)")
        for name, value in zip(names, args):
            if name in kwargs:
                raise TypeError(f"Got multiple values for keyword argument '{name}'")
            kwargs[name] = value
        self._user_provided_options = kwargs
        self.__dict__.update(self.OPTION_DEFAULTS)
        if kwargs.get("defaults_mode", "legacy") != "legacy":
            self.connect_timeout = None
        self.inject_host_prefix = True
        self.__dict__.update(kwargs)
        _check_addressing(self.s3)
        _check_retries(self.retries)

    def merge(self, other_config):
        return Config(**{**self._user_provided_options, **other_config._user_provided_options})


def _check_addressing(s3):
    style = s3.get("addressing_style") if s3 is not None else None
    if style not in ("virtual", "auto", "path", None):
        raise _EXCEPTIONS["InvalidS3AddressingStyleError"](s3_addressing_style=style)


def _check_retries(retries):
    options = ("max_attempts", "mode", "total_max_attempts")
    modes = ("legacy", "standard", "adaptive")
    for name, value in (retries or {}).items():
        if name not in options:
            raise _EXCEPTIONS["InvalidRetryConfigurationError"](retry_config_option=name, valid_options=options)
        if name == "mode":
            if value not in modes:
                raise _EXCEPTIONS["InvalidRetryModeError"](provided_retry_mode=value, valid_modes=modes)
        elif value < (least := 1 if name == "total_max_attempts" else 0):
            raise _EXCEPTIONS["InvalidMaxRetryAttemptsError"](provided_max_attempts=value, min_value=least)


Config.__module__ = "botocore.config"
